import { joinPath } from '../repository/repository-path.ts';

/** A set of documents of a Docusaurus site. Paths are those of the archive. */
export interface DocsPlugin {
  docs: string;
  /** The module of the sidebars; undefined if they are generated from the folders. */
  sidebars: string | undefined;
  /** The path of the documents in the address of the site. */
  route: string;
}

export interface DocusaurusConfig {
  plugins: DocsPlugin[];
  /** Titles of sidebars, from the navigation bar. */
  labels: ReadonlyMap<string, string>;
}

export const isConfig = (path: string) => /(?:^|\/)docusaurus\.config\.(?:[cm]?js|ts)$/.test(path);
export const isCategory = (path: string) => /(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path);

/** Reads the exported value of a `docusaurus.config.js` in a folder. */
export function readDocusaurusConfig(value: unknown, folder: string): DocusaurusConfig {
  const presets = arrayOrEmpty(memberOf(value, 'presets')).map((preset) => arrayOrEmpty(preset)[1]);
  const settings = presets.flatMap((preset) =>
    memberOf(preset, 'docs') === undefined ? [] : [memberOf(preset, 'docs')],
  );
  const others = arrayOrEmpty(memberOf(value, 'plugins')).flatMap((plugin) => {
    const [name, options] = arrayOrEmpty(plugin);
    return typeof name === 'string' && name.endsWith('plugin-content-docs') ? [options] : [];
  });
  const docsOptions = [...settings.filter((docs) => docs !== false), ...others];
  const plugins = (docsOptions.length > 0 || settings.includes(false) ? docsOptions : [{}]).flatMap((options) =>
    pluginOf(options, folder),
  );
  return { plugins, labels: labelsOf(memberOf(memberOf(value, 'themeConfig'), 'navbar')) };
}

function pluginOf(options: unknown, folder: string): DocsPlugin[] {
  const docs = joinPath(folder, textAt(options, 'path') ?? 'docs');
  const sidebars = textAt(options, 'sidebarPath');
  const route = textAt(options, 'routeBasePath') ?? 'docs';
  if (docs === undefined) return [];
  return [{ docs, sidebars: sidebars && joinPath(folder, sidebars), route: joinPath('', route) ?? '' }];
}

function labelsOf(navbar: unknown): Map<string, string> {
  const entries = arrayOrEmpty(memberOf(navbar, 'items')).map(
    (item) => [textAt(item, 'sidebarId'), textAt(item, 'label')] as const,
  );
  return new Map(entries.flatMap(([id, label]) => (id && label ? [[id, label] as const] : [])));
}

/** A member of a value that may be an object. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name] // an object with this member
    : undefined;

export const textAt = (value: unknown, name: string): string | undefined => {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : undefined;
};

export const arrayOrEmpty = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
