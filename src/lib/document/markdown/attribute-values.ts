/** A boolean attribute: present or `true`, `false`, or undefined. */
export function flagOf(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value !== 'false';
}

export function numberOf(value: string | undefined): number | undefined {
  if (value === undefined || !/^[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(value.trim())) return undefined;
  return Number(value);
}

/** The value of a JSON text; undefined if it is invalid. */
export function jsonOf(value: string | undefined): unknown {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
