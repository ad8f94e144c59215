/** A part of a text with placeholders. */
export type CodedToken =
  | { kind: 'text'; value: string }
  /** The start and the end of content that a placeholder is around, and a placeholder without content. */
  | { kind: 'open' | 'close' | 'void'; number: number };

/**
 * Text with placeholders as XML: `<1>` and `</1>` around content, `<2/>` for nodes without content. Providers with
 * support for XML or HTML keep such tags, and `<`, `>` and `&` of the text are escaped.
 */
export const printTokens = (tokens: readonly CodedToken[]): string => tokens.map(printToken).join('');

function printToken(token: CodedToken): string {
  switch (token.kind) {
    case 'text':
      return token.value.replace(/[&<>]/g, (character) => ESCAPED[character] ?? character);
    case 'open':
      return `<${token.number}>`;
    case 'close':
      return `</${token.number}>`;
    case 'void':
      return `<${token.number}/>`;
  }
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
};

/** Reads text with placeholders. Everything except placeholders is text, so that every text can be read. */
export function readTokens(coded: string): CodedToken[] {
  const tokens: CodedToken[] = [];
  let end = 0;
  for (const match of coded.matchAll(/<(\/?)(\d{1,5})(\/?)>/g)) {
    const [source, closes, number, isVoid] = match;
    if (closes !== '' && isVoid !== '') continue;
    pushText(tokens, coded.slice(end, match.index));
    end = match.index + source.length;
    tokens.push({ kind: kindOf(closes, isVoid), number: Number(number) });
  }
  pushText(tokens, coded.slice(end));
  return tokens;
}

function kindOf(closes: string | undefined, isVoid: string | undefined): 'open' | 'close' | 'void' {
  if (closes !== '') return 'close';
  return isVoid === '' ? 'open' : 'void';
}

function pushText(tokens: CodedToken[], coded: string): void {
  if (coded === '') return;
  tokens.push({
    kind: 'text',
    value: coded.replace(/&(?:amp|lt|gt|quot|apos|#39);/g, (name) => ENTITIES[name] ?? name),
  });
}

/** The words of a text without its placeholders. */
export const uncodedText = (coded: string): string =>
  readTokens(coded)
    .map((token) => (token.kind === 'text' ? token.value : ''))
    .join('');
