import {
  BaseResolver,
  type Config,
  createConfig,
  type Document,
  lintDocument,
  type NormalizedProblem,
  ResolveError,
  Source,
} from '@redocly/openapi-core';
import { UnusableSpecification } from './fault.ts';
import { placesInSource, type TextPosition } from './places-in-source.ts';
import { type JsonRecord, parseSource } from './read-source.ts';
import { circularReferenceIn } from './references.ts';

export type LintSeverity = 'error' | 'warning';

/** A violation of a rule, with its place if it is known. */
export interface LintProblem extends Partial<TextPosition> {
  /** Id of the rule: `operation-operationId`. */
  rule: string;
  severity: LintSeverity;
  message: string;
  /** Name of the file that it is in. */
  filename: string;
  /** JSON Pointer (RFC 6901) into the file. Empty for the whole file. */
  pointer: string;
}

/** A file as it was received. */
export interface LintedFile {
  filename: string;
  /** URL of the file. References are resolved against it. */
  location: string;
  text: string;
}

const MAX_MESSAGE = 2_000;
const MAX_POINTER = 2_000;

/**
 * The problems that the recommended rules of Redocly find in a specification, errors before warnings. The entry
 * point is the first of the files. Only the given files are read.
 */
export async function lintSpecification(files: readonly LintedFile[]): Promise<LintProblem[]> {
  const [entry] = files;
  if (!entry) return [];
  rejectCircles(files);
  const config: Config = await createConfig({ extends: ['recommended'] });
  const resolver = new GivenFiles(files);
  const document = resolver.parseDocument(new Source(entry.location, entry.text), true);
  const results = await lintDocument({ document, config, externalRefResolver: resolver }).catch(rejectUnreadable);
  const names = new Map(files.map(({ location, filename }) => [location, filename]));
  const problems = results.map((problem) => problemOf(problem, names, entry.filename));
  return problems.toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

/** The linter would leave a rejection without a handler for each further reference of a circle. */
function rejectCircles(files: readonly LintedFile[]): void {
  for (const { text } of files) {
    const ref = circularReferenceIn(parseSource(text).value);
    if (ref !== undefined)
      throw new UnusableSpecification([{ message: `The reference "${ref.slice(0, 200)}" leads back to itself.` }]);
  }
}

/** The linter fails on objects that the specification does not allow, such as a server that is null. */
function rejectUnreadable(): never {
  const message =
    'The linter cannot read the source. Check that all servers, parameters, responses and schemas are objects, and none is null.';
  throw new UnusableSpecification([{ message }]);
}

/** The problems with their places in the files. */
export function withPlaces(problems: readonly LintProblem[], files: readonly LintedFile[]): LintProblem[] {
  const pointers = Map.groupBy(problems, ({ filename }) => filename);
  const places = new Map(
    files.map(({ filename, text }) => {
      const format = text.trimStart().startsWith('{') ? 'json' : 'yaml';
      return [
        filename,
        placesInSource(
          text,
          format,
          (pointers.get(filename) ?? []).map(({ pointer }) => pointer),
        ),
      ];
    }),
  );
  return problems.map((problem) => ({ ...problem, ...places.get(problem.filename)?.get(problem.pointer) }));
}

/** Serves the given files, parsed as they are for processing. */
class GivenFiles extends BaseResolver {
  readonly #texts: ReadonlyMap<string, string>;

  constructor(files: readonly LintedFile[]) {
    super();
    this.#texts = new Map(files.map(({ location, text }) => [location, text]));
  }

  override resolveExternalRef(base: string | null, ref: string): string {
    return URL.parse(ref, base ?? undefined)?.href ?? ref;
  }

  override async loadExternalRef(location: string): Promise<Source> {
    const text = this.#texts.get(location);
    if (text === undefined) throw new ResolveError(new Error('The file is not part of the specification.'));
    return new Source(location, text);
  }

  override parseDocument(source: Source, isRoot = false): Document {
    const { value } = parseSource(source.body);
    return { source, parsed: isRoot ? withVersion(value) : value };
  }
}

/** YAML reads `swagger: 2.0` as a number. */
function withVersion(value: JsonRecord): JsonRecord {
  const { swagger, openapi } = value;
  if (typeof swagger === 'number') return { ...value, swagger: swagger === 2 ? '2.0' : String(swagger) };
  return typeof openapi === 'number' ? { ...value, openapi: String(openapi) } : value;
}

function problemOf(
  { ruleId, severity, message, location: [place] }: NormalizedProblem,
  names: ReadonlyMap<string, string>,
  entry: string,
): LintProblem {
  return {
    rule: ruleId,
    severity: severity === 'error' ? 'error' : 'warning',
    message: message.slice(0, MAX_MESSAGE).toWellFormed().trim(),
    filename: names.get(place?.source.absoluteRef ?? '') ?? entry,
    pointer: (place?.pointer ?? '').replace(/^#\/?/, '/').replace(/^\/$/, '').slice(0, MAX_POINTER).toWellFormed(),
  };
}
