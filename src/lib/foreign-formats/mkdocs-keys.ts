const NAMES: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  control: 'Ctrl',
  alt: 'Alt',
  option: 'Option',
  cmd: 'Cmd',
  command: 'Cmd',
  del: 'Del',
  delete: 'Del',
  esc: 'Esc',
  escape: 'Esc',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  pipe: '|',
  plus: '+',
  minus: '-',
  comma: ',',
  period: '.',
  slash: '/',
  backslash: '\\',
  equal: '=',
  semicolon: ';',
  'page-up': 'Page Up',
  'page-down': 'Page Down',
  'print-screen': 'Print Screen',
  'caps-lock': 'Caps Lock',
};

/** Keys as PyMdown writes them, `ctrl+alt+"My key"`, as elements of HTML. */
export const keyboardTags = (keys: string): string =>
  (keys.match(/"[^"]*"|'[^']*'|[^+]+/g) ?? []).map((key) => `<kbd>${labelOf(key)}</kbd>`).join('+');

function labelOf(key: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(key)?.[2];
  const label = quoted ?? nameOf(key.toLowerCase());
  return label.replace(/[<>&|*_[\]\\`~$]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

const nameOf = (key: string): string =>
  Object.hasOwn(NAMES, key)
    ? (NAMES[key] ?? '')
    : key
        .replace(/^arrow-/, '')
        .split('-')
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(' ');
