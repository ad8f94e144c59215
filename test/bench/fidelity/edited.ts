interface Node {
  object: string;
  type?: string;
  nodes?: Node[];
  leaves?: { text: string }[];
}

/** A document with a text added to a paragraph in its middle, or with a paragraph more if it has none. */
export function withEdit(document: { nodes: object[] }, text: string): object {
  const copy = structuredClone(document) as { nodes: Node[] };
  const paragraphs = copy.nodes.filter(
    ({ type, nodes }) => type === 'paragraph' && (nodes?.at(-1)?.leaves?.at(-1)?.text.trim() ?? '') !== '',
  );
  const leaf = paragraphs[Math.floor(paragraphs.length / 2)]?.nodes?.at(-1)?.leaves?.at(-1);
  if (leaf) leaf.text = `${leaf.text.trimEnd()} ${text}`;
  else copy.nodes.push(paragraphOf(text));
  return copy;
}

const paragraphOf = (text: string) => ({
  object: 'block',
  type: 'paragraph',
  isVoid: false,
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
});
