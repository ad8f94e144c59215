/** Draws whole numbers from 0 to below `limit`: the same ones for the same seed. */
export type Draw = (limit: number) => number;

/** A linear congruential generator (Numerical Recipes, 7.1): text needs no better chance. */
export function makeDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const WORDS = (
  'access address agent answer archive branch browser bucket build cache change channel client cluster column command ' +
  'commit connection cookie cursor database deploy device domain editor endpoint error event export field file filter ' +
  'folder form gateway group handler header host image import index install instance invoice job key label language ' +
  'layout limit link list load log member memory message method migration module network node object option order ' +
  'organization output owner package page path payload plan policy port process profile project protocol proxy query ' +
  'queue quota record region release replica request resource response review role route rule schema scope search ' +
  'secret server service session setting signature site size snapshot socket source space state storage stream table ' +
  'task team template tenant thread timeout token trace transaction trigger upload user value variable version view ' +
  'volume webhook window worker zone'
).split(' ');

const word = (draw: Draw) => WORDS[draw(WORDS.length)] ?? '';

const words = (draw: Draw, count: number) => Array.from({ length: count }, () => word(draw)).join(' ');

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A title of two to four words. */
export const titleOf = (draw: Draw) => capital(words(draw, 2 + draw(3)));

const sentence = (draw: Draw) => `${capital(words(draw, 6 + draw(10)))}.`;

const paragraph = (draw: Draw) => Array.from({ length: 2 + draw(3) }, () => sentence(draw)).join(' ');

/** What somebody has to say: some 200 characters, with a mark and a link. */
export const remarkOf = (draw: Draw) =>
  `${sentence(draw)} **${words(draw, 2)}** ${sentence(draw)} See [the ${word(draw)}](https://example.com/${word(draw)}).`;

/** A page of about 1,500 characters of Markdown: headings, paragraphs, a list, code, and a link to another page. */
export function markdownOf(draw: Draw, linkedPageId: string): string {
  return [
    paragraph(draw),
    `## ${titleOf(draw)}`,
    `${sentence(draw)} See [the ${word(draw)}](page:${linkedPageId}) about it. **${sentence(draw)}** ${sentence(draw)}`,
    [sentence(draw), sentence(draw), sentence(draw)].map((item) => `- ${item}`).join('\n'),
    `## ${titleOf(draw)}`,
    `\`\`\`ts\nconst ${word(draw)} = await ${word(draw)}.${word(draw)}(${draw(1_000)});\n\`\`\``,
    paragraph(draw),
    `> ${sentence(draw)}`,
    `${paragraph(draw)} \`${word(draw)}\` ${sentence(draw)}`,
  ].join('\n\n');
}
