import { CONFIGURATION_FILE, DEFAULT_CONFIGURATION, type RepositoryConfiguration } from './configuration.ts';
import { outlineOfFolders } from './folder-outline.ts';
import { type OutlineNode, summaryOutline } from './outline.ts';
import { info, quote, type ReportEntry, warning } from './report.ts';
import { findFile, type RepositoryFiles } from './repository-files.ts';
import { below, isHiddenPath, isInside, isMarkdown } from './repository-path.ts';
import { parseSummary, type SummaryItem } from './summary.ts';

/** Maximum depth of a page tree. Deeper pages become siblings of their parent. */
const MAX_DEPTH = 32;

/** Maximum number of siblings. */
const MAX_WIDTH = 1_000;

/**
 * The page tree of a repository: by its table of contents, with the home page first if that is not listed; without a
 * table of contents by its folders.
 */
export async function readStructure(
  configuration: RepositoryConfiguration,
  repository: RepositoryFiles,
  read: (path: string) => Promise<string>,
  { contents, names }: { contents?: readonly SummaryItem[] | undefined; names?: ReadonlyMap<string, string> },
): Promise<{ nodes: OutlineNode[]; report: ReportEntry[] }> {
  if (contents) {
    const { nodes, report } = summaryOutline(contents, configuration.summary, repository);
    return limited(nodes, configuration.summary, report);
  }
  const report: ReportEntry[] = [];
  if (configuration.readme !== DEFAULT_CONFIGURATION.readme && !repository.files.has(repository.readme)) {
    report.push(warning(CONFIGURATION_FILE, `The home page ${quote(repository.readme)} does not exist.`));
  }
  const found = findFile(repository, configuration.summary);
  // A converted file is a page that is called "Summary".
  const summary = found !== undefined && names?.has(found) ? undefined : found;
  const text = summary === undefined ? '' : (await read(summary)).replace(/\r\n?/g, '\n');
  if (summary === undefined || (summary !== configuration.summary && !isListOfPages(text))) {
    const message = `${quote(configuration.summary)} does not exist. Pages are sorted by folder and name.`;
    const nodes = outlineOfFolders([...repository.files], repository);
    return limited(nodes, configuration.summary, [...report, info(configuration.summary, message)]);
  }
  const parsed = parseSummary(text, summary);
  const outline = summaryOutline(parsed.items, summary, repository);
  const home = homeFor(outline.nodes, repository);
  const nodes = [...home, ...outline.nodes];
  const notes = home.map(() =>
    info(summary, `${quote(repository.readme)} is not listed. It was placed first, as the home page.`),
  );
  const entries = [...report, ...parsed.report, ...outline.report, ...notes, ...unlisted(nodes, summary, repository)];
  return limited(nodes, summary, entries);
}

/**
 * Whether a text is a list with nothing but headings around it, as tables of contents are. A page called "Summary",
 * whose name differs in case, has more.
 */
function isListOfPages(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^#{1,6}[ \t]|^-{3,}$|^\*{3,}$/.test(line));
  return lines.length > 0 && lines.every((line) => /^[ \t]*[-*+][ \t]/.test(line));
}

/** The files of all documents, in the order of the tree. */
export const outlineFiles = (nodes: readonly OutlineNode[]): string[] =>
  nodes.flatMap(({ file, children }) => [...(file === null ? [] : [file]), ...outlineFiles(children)]);

function homeFor(nodes: readonly OutlineNode[], { files, readme }: RepositoryFiles): OutlineNode[] {
  if (!files.has(readme) || outlineFiles(nodes).includes(readme)) return [];
  return [{ kind: 'document', file: readme, path: readme, children: [] }];
}

function unlisted(nodes: readonly OutlineNode[], summary: string, { files, root }: RepositoryFiles): ReportEntry[] {
  const listed = new Set([...outlineFiles(nodes), summary]);
  return [...files]
    .filter((file) => isMarkdown(file) && isInside(file, root) && !isHiddenPath(below(root, file)) && !listed.has(file))
    .map((file) => warning(file, `The file was not imported: it is not in ${summary}.`));
}

function limited(nodes: readonly OutlineNode[], summary: string, report: readonly ReportEntry[]) {
  const wide: ReportEntry[] = [];
  const limits = limitWidth(limitDepth(nodes), (count) =>
    wide.push(info(summary, `${count} siblings exceed the limit of ${MAX_WIDTH}. They were distributed to parts.`)),
  );
  return { nodes: limits, report: [...report, ...wide] };
}

/** Too many siblings are distributed to parts, each of them a page without a body. */
function limitWidth(nodes: readonly OutlineNode[], tell: (count: number) => void): OutlineNode[] {
  const limits = nodes.map((node) => ({ ...node, children: limitWidth(node.children, tell) }));
  if (limits.length <= MAX_WIDTH) return limits;
  tell(limits.length);
  const parts = Array.from({ length: Math.ceil(limits.length / MAX_WIDTH) }, (_, part) =>
    limits.slice(part * MAX_WIDTH, (part + 1) * MAX_WIDTH),
  );
  return parts.map((children, part) => {
    const name = `part-${part + 1}`;
    return { kind: 'document', file: null, path: name, title: `Part ${part + 1}`, children };
  });
}

function limitDepth(nodes: readonly OutlineNode[], depth = 1): OutlineNode[] {
  return nodes.flatMap((node) => {
    const children = limitDepth(node.children, Math.min(depth + 1, MAX_DEPTH));
    return depth < MAX_DEPTH ? [{ ...node, children }] : [{ ...node, children: [] }, ...children];
  });
}
