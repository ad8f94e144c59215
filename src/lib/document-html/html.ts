/** HTML that is safe to send: made by `html`, which escapes all text. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * A template of HTML. Text is escaped for elements and for attribute values in double quotes; lists are joined; null,
 * undefined and false are left out.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let source = strings[0] ?? '';
  for (const [index, value] of values.entries()) source += sourceOf(value) + strings[index + 1];
  return new Html(source);
}

/** Joins values to HTML. */
export const joinHtml = (values: readonly HtmlValue[]): Html => new Html(values.map(sourceOf).join(''));

function sourceOf(value: HtmlValue): string {
  if (value instanceof Html) return value.source;
  if (Array.isArray(value)) return value.map(sourceOf).join('');
  return value === null || value === undefined || value === false ? '' : escapeMarkup(String(value));
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Text for elements and quoted attribute values in HTML and XML. Control characters, which XML forbids, are dropped.
 */
export const escapeMarkup = (text: string): string =>
  text.replace(CONTROLS, '').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
