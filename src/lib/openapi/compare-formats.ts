import type { MessageDirection, SchemaDifference } from './differences.ts';
import type { Shape } from './shapes.ts';

/** Families of formats of numbers. Each format includes those before it. */
const FAMILIES = [
  ['int8', 'int16', 'int32', 'int64'],
  ['uint8', 'uint16', 'uint32', 'uint64'],
  ['float', 'double'],
];

/** Formats that texts have to follow. Others are hints for people and for generated code. */
const CHECKED = new Set([
  ...['date', 'date-time', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['uri', 'uri-reference', 'uuid', 'json-pointer', 'regex'],
]);

/** The difference of the formats. A format of numbers that only one side has adds nothing but what was true before. */
export function formatDifference(
  { type, format: old }: Shape,
  { format: now }: Shape,
  direction: MessageDirection,
): SchemaDifference[] {
  if (old === now) return [];
  const message =
    old === undefined
      ? `format ${now} added`
      : now === undefined
        ? `format ${old} removed`
        : `format changed from ${old} to ${now}`;
  const [writer, reader] = direction === 'request' ? [old, now] : [now, old];
  const isBreaking = type === 'string' ? isText(reader) && writer !== reader : isWider(writer, reader);
  return [{ place: '', message, isBreaking }];
}

const isText = (format: string | undefined) => format !== undefined && CHECKED.has(format);

/** Whether a number of one format can be too large for another. */
function isWider(writer: string | undefined, reader: string | undefined): boolean {
  if (writer === undefined || reader === undefined) return false;
  return FAMILIES.some((formats) => formats.includes(reader) && formats.indexOf(writer) > formats.indexOf(reader));
}
