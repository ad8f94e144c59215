import { dollarsOf, saysDollars } from '../foreign-formats/dollars-of.ts';
import type { Dollars } from '../foreign-formats/formulas.ts';
import {
  CONFIGURATION_FILE,
  DEFAULT_CONFIGURATION,
  type KeptConfiguration,
  type ParsedConfiguration,
  parseConfiguration,
  type RepositoryConfiguration,
} from './configuration.ts';
import { type PlannedPage, planPages } from './planned-page.ts';
import { keptAsWritten, quote, type ReportEntry, warning } from './report.ts';
import { findFile, type RepositoryFiles, repositoryFiles } from './repository-files.ts';
import { below, isHiddenPath, isInside, isMarkdown } from './repository-path.ts';
import { outlineFiles, readStructure } from './structure.ts';
import type { SummaryItem } from './summary.ts';
import { readTags, type SpaceTag } from './tags.ts';
import { readVariablesFile, type VariableValue } from './variables.ts';

const MAX_CONFIGURATION_BYTES = 1024 * 1024;

/** The plan for importing a repository. */
export interface RepositoryPlan {
  configuration: RepositoryConfiguration;
  /** The settings to use if the file cannot be read later on. Undefined if it could not be read before either. */
  keptConfiguration: KeptConfiguration | undefined;
  /** The page tree, in order. */
  pages: PlannedPage[];
  /** The input of `resolveLink` for links in bodies. */
  known: RepositoryFiles;
  /**
   * The files of the documentation that are not Markdown, including `.gitbook/assets`. Links can point to other files
   * too.
   */
  assets: string[];
  /** Former page paths, without slashes at their ends, and the files of the pages they lead to. */
  redirects: { from: string; file: string }[];
  /** The variables of the space, by name. Undefined if their file cannot be read. */
  variables: Record<string, VariableValue> | undefined;
  /** The tags that pages can have, in order. Undefined if their file cannot be read. */
  tags: SpaceTag[] | undefined;
  /** How the generator of the pages reads dollars in them. Bodies have formulas in the form of this dialect already. */
  dollars: Dollars;
  report: ReportEntry[];
}

/** Data of a source about its pages, apart from its files. */
export interface PlanOptions {
  /** The table of contents, instead of SUMMARY.md. */
  contents?: readonly SummaryItem[] | undefined;
  /** Original names of files that were converted to Markdown. None of them is the table of contents. */
  names?: ReadonlyMap<string, string>;
  aliases?: RepositoryFiles['aliases'];
  /**
   * Settings that the repository had. They are used if `.gitbook.yaml` does not say which folder has the documentation.
   */
  formerConfiguration?: KeptConfiguration | undefined;
}

/**
 * Reads a documentation repository like GitBook: `.gitbook.yaml`, the table of contents, and its Markdown files. Each
 * file is read once. Never throws because of the content of a repository: what cannot be used is reported.
 */
export async function planImport(
  files: Iterable<{ path: string; size: number }>,
  read: (path: string) => Promise<string>,
  { contents, names, aliases, formerConfiguration }: PlanOptions = {},
): Promise<RepositoryPlan> {
  const sizes = new Map([...files].map(({ path, size }) => [path, size]));
  const { configuration, isUsable, report } = await readConfiguration(sizes, read, formerConfiguration);
  const all = { ...repositoryFiles(sizes.keys(), configuration), ...(aliases ? { aliases } : {}) };
  // A file is read once, also one that turns out to be a page.
  const summaries = new Map<string, string>();
  const readSummary = async (path: string) => {
    const text = await read(path);
    summaries.set(path, text);
    return text;
  };
  const readPage = async (path: string) => summaries.get(path) ?? (await read(path));
  const structure = await readStructure(configuration, all, readSummary, { contents, ...(names && { names }) });
  report.push(...structure.report);
  const listed = { ...all, pages: new Set(outlineFiles(structure.nodes)) };
  // A source with a table of contents of its own has converted its pages.
  const dollars = contents ? 'literal' : await readDollars(sizes, read);
  const pages = await planPages(structure.nodes, { repository: listed, sizes, read: readPage, report, dollars });
  const repository = { ...listed, pagePaths: new Map(pathsOf(pages)) };
  const redirects = redirectsOf(configuration, repository, report);
  const variables = await readVariablesFile(configuration.root, sizes, read, report);
  const tags = await readTags(configuration.root, sizes, read, report);
  const { redirects: _, ...keptConfiguration } = configuration;
  return {
    configuration,
    keptConfiguration: isUsable ? keptConfiguration : undefined,
    pages,
    known: repository,
    assets: assetsOf(repository),
    redirects,
    variables,
    tags,
    dollars,
    report,
  };
}

type Report = ReportEntry[];

async function readDollars(
  sizes: ReadonlyMap<string, number>,
  read: (path: string) => Promise<string>,
): Promise<Dollars> {
  // Files of the documentation can be examples of configurations.
  const isAsset = (path: string) => `/${path}`.includes('/.gitbook/assets/');
  const configurations = [...sizes.keys()].filter((path) => saysDollars(path) && !isAsset(path));
  const [path] = configurations.sort((a, b) => a.length - b.length);
  const isRead = path !== undefined && (sizes.get(path) ?? 0) <= MAX_CONFIGURATION_BYTES;
  return isRead ? dollarsOf(path, await read(path)) : 'literal';
}

async function readConfiguration(
  sizes: ReadonlyMap<string, number>,
  read: (path: string) => Promise<string>,
  former: KeptConfiguration | undefined,
): Promise<ParsedConfiguration> {
  const parsed = await configurationOf(sizes, read);
  const { isUsable, configuration, report } = parsed;
  const { root } = configuration;
  const hasFiles = root === '' || [...sizes.keys()].some((path) => isInside(path, root));
  if (isUsable && hasFiles) return parsed;
  const reason = hasFiles ? '' : `The folder ${quote(root)} is empty or missing. `;
  if (former) {
    const message = `${reason}The settings that the repository had before are used.`;
    report.push(keptAsWritten(CONFIGURATION_FILE, message));
    return { configuration: { ...former, redirects: [] }, isUsable: true, report };
  }
  if (hasFiles) return parsed;
  report.push(warning(CONFIGURATION_FILE, `${reason}The whole repository is read instead.`));
  return { configuration: DEFAULT_CONFIGURATION, isUsable: false, report };
}

async function configurationOf(
  sizes: ReadonlyMap<string, number>,
  read: (path: string) => Promise<string>,
): Promise<ParsedConfiguration> {
  if (!sizes.has(CONFIGURATION_FILE)) return { configuration: DEFAULT_CONFIGURATION, isUsable: true, report: [] };
  if ((sizes.get(CONFIGURATION_FILE) ?? 0) <= MAX_CONFIGURATION_BYTES) {
    return parseConfiguration(await read(CONFIGURATION_FILE));
  }
  const message = `The file was not read: it is larger than ${MAX_CONFIGURATION_BYTES} bytes.`;
  return {
    configuration: DEFAULT_CONFIGURATION,
    isUsable: false,
    report: [warning(CONFIGURATION_FILE, message)],
  };
}

const pathsOf = (pages: readonly PlannedPage[]): [string, string][] =>
  pages.flatMap(({ path, file, children }) => [
    ...(path !== null && file !== null ? [[path, file] satisfies [string, string]] : []),
    ...pathsOf(children),
  ]);

function assetsOf({ files, root }: RepositoryFiles): string[] {
  const assets = assetsFolder(root);
  return [...files].filter(
    (file) => isInside(file, assets) || (!isMarkdown(file) && isInside(file, root) && !isHiddenPath(below(root, file))),
  );
}

/** The folder with the files of a documentation, whether pages refer to them or not. */
export const assetsFolder = (root: string): string => (root === '' ? '.gitbook/assets' : `${root}/.gitbook/assets`);

function redirectsOf({ redirects }: RepositoryConfiguration, repository: RepositoryFiles, report: Report) {
  return redirects.flatMap(({ from, file, line }) => {
    const page = findFile(repository, file);
    if (page !== undefined && repository.pages.has(page)) return [{ from, file: page }];
    report.push(
      warning(CONFIGURATION_FILE, `${quote(from)} is redirected to ${quote(file)}, which is not a page.`, line),
    );
    return [];
  });
}
