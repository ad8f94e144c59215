const TOKEN =
  /[ \t\r\n]*(?:([{}[\]:,])|("(?:[^"\\\t\r\n]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null))/y;

const SPACE = /[ \t\r\n]*/y;

/** Tokens that may follow: any value, a name or the end of an object, and so on. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'end';

/**
 * The offset at which a text stops being JSON (RFC 8259): the errors of the engine often have none. The length of the
 * text if it ends too early.
 */
export function jsonFault(text: string): number {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const afterValue = (): Expected => {
    const inner = open.at(-1);
    if (inner === undefined) return 'end';
    return inner === '[' ? ', or ]' : ', or }';
  };
  for (;;) {
    TOKEN.lastIndex = at;
    const [token, mark, string, literal] = TOKEN.exec(text) ?? [];
    const isValue = expected === 'value' || expected === 'value or ]';
    const isName = expected === 'name' || expected === 'name or }';
    if (token === undefined) return startOf(text, at);
    if (isValue && (mark === '{' || mark === '[')) {
      open.push(mark);
      expected = mark === '{' ? 'name or }' : 'value or ]';
    } else if (isValue && (string ?? literal) !== undefined) expected = afterValue();
    else if (isName && string !== undefined) expected = ':';
    else if (expected === ':' && mark === ':') expected = 'value';
    else if (mark === ',' && expected === ', or }') expected = 'name';
    else if (mark === ',' && expected === ', or ]') expected = 'value';
    else if (mark !== undefined && expected.endsWith(mark)) {
      open.pop();
      expected = afterValue();
    } else return startOf(text, at);
    at += token.length;
  }
}

function startOf(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}
