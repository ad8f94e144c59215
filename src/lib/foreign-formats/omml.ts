import sax from 'sax';

/** Deeper formulas, and those that are longer, are replaced by their text. */
const MAX_DEPTH = 100;
const MAX_LENGTH = 100_000;

interface Node {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Node[];
  text: string;
}

/** A formula of Office (ECMA-376, Part 1, section 22.1), the XML of an `m:oMath` element, as LaTeX. */
export function latexOfOmml(xml: string): string {
  const root = xml.length > MAX_LENGTH ? undefined : treeOf(xml);
  const latex = root ? latexOf(root) : escaped(textIn(xml));
  return latex.replace(/\s+/g, ' ').trim();
}

function treeOf(xml: string): Node | undefined {
  const parser = sax.parser(true);
  const root: Node = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let isTooDeep = false;
  parser.onopentag = ({ name, attributes }) => {
    const node: Node = {
      name: name.replace(/^\w+:/, ''),
      attributes: attributes as Record<string, string>,
      children: [],
      text: '',
    }; // without namespaces
    if (open.length > MAX_DEPTH) isTooDeep = true;
    else open.at(-1)?.children.push(node);
    open.push(node);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = (text) => {
    const node = open.at(-1);
    if (node) node.text += text;
  };
  parser.onerror = () => {
    isTooDeep = true;
    parser.error = null as never; // resumes: the text is used instead
  };
  parser.write(xml).close();
  return isTooDeep ? undefined : root;
}

const textIn = (xml: string) =>
  xml
    .replace(/<[^<>]{0,1000}>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const escaped = (text: string) =>
  text.replaceAll('\\', '\\backslash ').replace(/[{}_^#%&$~]/g, (each) => ESCAPES[each] ?? `\\${each}`);

const ESCAPES: Readonly<Record<string, string>> = { '^': '\\hat{}', '~': '\\sim ' };

const latexOf = (node: Node): string => (WRITERS.get(node.name) ?? all)(node);

const all: Writer = ({ children }) => children.map(latexOf).join('');
type Writer = (node: Node) => string;

const part = (node: Node, name: string) => node.children.find((child) => child.name === name);
const of = (node: Node, name: string) => {
  const child = part(node, name);
  return child ? latexOf(child).trim() : '';
};

/** The value of a property, as `<m:chr m:val="∑"/>` in `<m:naryPr>`. */
function property(node: Node, name: string): string | undefined {
  const properties = node.children.find((child) => child.name.endsWith('Pr'));
  const element = properties && part(properties, name);
  return element && Object.entries(element.attributes).find(([key]) => /(?:^|:)val$/.test(key))?.[1];
}

const isOn = (value: string | undefined) =>
  value !== undefined && value !== '0' && value !== 'off' && value !== 'false';

const OPERATORS = new Map(
  Object.entries<string>({
    '∑': '\\sum',
    '∏': '\\prod',
    '∐': '\\coprod',
    '∫': '\\int',
    '∬': '\\iint',
    '∭': '\\iiint',
    '∮': '\\oint',
    '⋃': '\\bigcup',
    '⋂': '\\bigcap',
  }),
);

const ACCENTS = new Map(
  Object.entries<string>({
    '\u0302': 'hat',
    '\u0303': 'tilde',
    '\u0304': 'bar',
    '\u0305': 'overline',
    '\u0307': 'dot',
    '\u0308': 'ddot',
    '\u20d7': 'vec',
  }),
);

const scripts = (node: Node, base: string) => {
  const [below, above] = [of(node, 'sub'), of(node, 'sup')];
  return `${base}${below === '' ? '' : `_{${below}}`}${above === '' ? '' : `^{${above}}`}`;
};

function delimited(node: Node): string {
  const [open, close] = [property(node, 'begChr') ?? '(', property(node, 'endChr') ?? ')'];
  const inner = node.children
    .filter(({ name }) => name === 'e')
    .map(latexOf)
    .join(property(node, 'sepChr') ?? '|');
  const bracket = (text: string) => (text === '' ? '.' : /[{}]/.test(text) ? `\\${text}` : text);
  return `\\left${bracket(open)}${inner}\\right${bracket(close)}`;
}

const rows = (node: Node, name: string) => node.children.filter((child) => child.name === name);
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|log|ln|lg|exp|lim|max|min|det|gcd|arg|arcsin|arccos|arctan)/;

const WRITERS = new Map(
  Object.entries<Writer>({
    t: ({ text }) => escaped(text),
    f: (node) =>
      property(node, 'type') === 'lin'
        ? `${of(node, 'num')}/${of(node, 'den')}`
        : `\\frac{${of(node, 'num')}}{${of(node, 'den')}}`,
    sSup: (node) => scripts(node, `{${of(node, 'e')}}`),
    sSub: (node) => scripts(node, `{${of(node, 'e')}}`),
    sSubSup: (node) => scripts(node, `{${of(node, 'e')}}`),
    sPre: (node) => `${scripts(node, '{}')}{${of(node, 'e')}}`,
    rad: (node) => {
      const degree = isOn(property(node, 'degHide')) ? '' : of(node, 'deg');
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${of(node, 'e')}}`;
    },
    nary: (node) => {
      const sign = property(node, 'chr') ?? '∫';
      return `${scripts(node, OPERATORS.get(sign) ?? sign)} ${of(node, 'e')}`;
    },
    d: delimited,
    func: (node) => {
      const name = of(node, 'fName');
      return `${FUNCTIONS.test(name) ? `\\${name}` : name} ${of(node, 'e')}`;
    },
    acc: (node) => `\\${ACCENTS.get(property(node, 'chr') ?? '\u0302') ?? 'hat'}{${of(node, 'e')}}`,
    bar: (node) => `\\${property(node, 'pos') === 'top' ? 'overline' : 'underline'}{${of(node, 'e')}}`,
    limLow: (node) => `{${of(node, 'e')}}_{${of(node, 'lim')}}`,
    limUpp: (node) => `{${of(node, 'e')}}^{${of(node, 'lim')}}`,
    m: (node) => {
      const lines = rows(node, 'mr').map((row) => rows(row, 'e').map(latexOf).join(' & '));
      return `\\begin{matrix} ${lines.join(' \\\\ ')} \\end{matrix}`;
    },
    eqArr: (node) => `\\begin{aligned} ${rows(node, 'e').map(latexOf).join(' \\\\ ')} \\end{aligned}`,
  }),
);
