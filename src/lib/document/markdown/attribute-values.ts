/** A boolean attribute: there or `true`, `false`, or not said. */
export function flagOf(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value !== 'false';
}

export function numberOf(value: string | undefined): number | undefined {
  if (value === undefined || !/^[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(value.trim())) return undefined;
  return Number(value);
}

/** What a JSON text says; undefined for anything else. */
export function jsonOf(value: string | undefined): unknown {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
