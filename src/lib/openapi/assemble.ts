import { upgrade } from '@scalar/openapi-upgrader';
import { positionAt, type SpecificationFault, UnusableSpecification } from './fault.ts';
import { isJsonRecord, type JsonRecord, parseSource, type SourceFormat } from './read-source.ts';
import { type Reference, referenceObjectsIn } from './references.ts';

/** A file as it was received. The location is its URL, or a name if the specification was given as text. */
export interface SpecificationFile {
  location: string;
  text: string;
}

/** A file with its content, in which all references to files are relative to the entry point. */
export interface AssembledFile {
  /** URL relative to the directory of the entry point; the whole URL for other directories. */
  filename: string;
  isEntrypoint: boolean;
  /** The other files that it refers to. */
  references: string[];
  text: string;
  format: SourceFormat;
  /** The entry point is upgraded to OpenAPI 3.1 or newer. */
  specification: JsonRecord;
}

export interface Assembled {
  /** Version that the entry point declares: `2.0`, `3.0.4`. */
  openapiVersion: string;
  /** The entry point first. */
  files: AssembledFile[];
}

/** Versions that can be upgraded, and those that need no upgrade. */
const KNOWN_VERSIONS = /^(?:2\.0|3\.[012](?:\.[0-9]{1,3})?)$/;

const MAX_FAULTS = 100;

/**
 * Parses the files of a specification, the entry point first, and upgrades the entry point. Returns the locations of
 * files that are referred to and not among the files, if there are any. Throws `UnusableSpecification`.
 */
export function assemble(sources: readonly SpecificationFile[]): Assembled | { missing: string[] } {
  const [entry] = sources;
  if (!entry) throw new UnusableSpecification([{ message: 'The source is empty.' }]);
  const faults: SpecificationFault[] = [];
  const locations = new Set(sources.map(({ location }) => location));
  const missing = new Set<string>();
  let openapiVersion = '';
  const files = sources.map((source) => {
    const filename = nameOf(source.location, entry.location);
    const { value, format } = within(filename, () => parseSource(source.text));
    const isEntrypoint = source === entry;
    if (isEntrypoint) openapiVersion = versionOf(value);
    const specification = isEntrypoint ? upgraded(value) : value;
    const references = new Set<string>();
    for (const reference of referenceObjectsIn(specification)) {
      const target = targetOf(reference, source, faults, filename);
      if (target === undefined) continue;
      if (!locations.has(target.location)) missing.add(target.location);
      const name = nameOf(target.location, entry.location);
      if (target.location !== source.location) references.add(name);
      reference.$ref = `${target.location === entry.location ? '' : name}#${target.fragment}`;
    }
    return { filename, isEntrypoint, references: [...references], text: source.text, format, specification };
  });
  if (faults.length > 0) throw new UnusableSpecification(faults.slice(0, MAX_FAULTS));
  return missing.size > 0 ? { missing: [...missing] } : { openapiVersion, files };
}

/** Names the file in the faults of an action. */
function within<Value>(filename: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof UnusableSpecification)) throw error;
    throw new UnusableSpecification(error.faults.map((fault) => ({ ...fault, filename })));
  }
}

function versionOf({ openapi, swagger }: JsonRecord): string {
  const version = String(openapi ?? swagger ?? '');
  // YAML reads `swagger: 2.0` as a number.
  const versionNumber = version === '2' ? '2.0' : version;
  if (KNOWN_VERSIONS.test(versionNumber)) return versionNumber;
  const message =
    versionNumber === ''
      ? 'The source is not an OpenAPI specification: it has neither `openapi` nor `swagger`.'
      : `The version "${versionNumber.slice(0, 20)}" of OpenAPI is not supported. Supported: 2.0, 3.0, 3.1 and 3.2.`;
  throw new UnusableSpecification([{ message, line: 1, column: 1 }]);
}

function upgraded(value: JsonRecord): JsonRecord {
  const swagger: JsonRecord = value.swagger === undefined ? {} : { swagger: '2.0' };
  const specification = tryUpgrade({ ...value, ...swagger });
  if (!isJsonRecord(specification)) {
    const message =
      'The source cannot be upgraded to OpenAPI 3.1. Check that all parameters, responses and schemas are objects, and none is null.';
    throw new UnusableSpecification([{ message }]);
  }
  return specification;
}

/** The library fails on objects that the specification does not allow, such as a response that is null. */
function tryUpgrade(value: JsonRecord): unknown {
  try {
    return upgrade(value, '3.1');
  } catch {
    return undefined;
  }
}

/** Location and fragment that a reference names. Undefined, with a fault, if it must not be followed. */
function targetOf(
  { $ref }: Reference,
  { location, text }: SpecificationFile,
  faults: SpecificationFault[],
  filename: string,
) {
  const hash = $ref.indexOf('#');
  const fragment = hash < 0 ? '' : $ref.slice(hash + 1);
  if (hash === 0) return { location, fragment };
  const fault = (message: string) => {
    const offset = text.indexOf($ref);
    faults.push({ message, filename, ...(offset < 0 ? {} : positionAt(text, offset)) });
    return undefined;
  };
  const label = $ref.slice(0, 200);
  const base = URL.parse(location);
  if (!base)
    return fault(`The reference "${label}" points to another file. Only sources with a URL can refer to other files.`);
  const target = URL.parse(hash < 0 ? $ref : $ref.slice(0, hash), base);
  if (target?.origin !== base.origin || target.username !== '' || target.password !== '') {
    return fault(`The reference "${label}" points to another origin than the source. Use a relative reference.`);
  }
  return { location: target.href, fragment };
}

function nameOf(location: string, entry: string): string {
  const directory = entry.slice(0, entry.split(/[?#]/, 1)[0]?.lastIndexOf('/') ?? 0);
  return location.startsWith(`${directory}/`) ? location.slice(directory.length + 1) : location;
}
