/** `{% name attribute="value" %}` on one line for any values. Undefined values are left out. */
export function openingTag(
  name: string,
  attributes: Record<string, string | number | boolean | undefined> = {},
): string {
  const parts = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}="${escapeValue(String(value))}"`],
  );
  return `{% ${[name, ...parts].join(' ')} %}`;
}

export function closingTag(name: string): string {
  return `{% end${name} %}`;
}

function escapeValue(value: string): string {
  return value
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('"', '&quot;')
    .replace(/\\$/, '&#x5C;')
    .replaceAll('%}', '%&#x7D;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;');
}
