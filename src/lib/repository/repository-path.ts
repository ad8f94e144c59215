/** Paths of a repository: relative to its top, parts joined by `/`, no `.` or `..`, empty for the top itself. */

/** A path as seen from a folder; undefined when it leads out of the repository. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const isMarkdown = (path: string) => /\.(?:md|markdown)$/i.test(path);

export const withoutExtension = (path: string) => path.replace(/\.(?:md|markdown)$/i, '');

export const isReadme = (path: string) => /^readme\.(?:md|markdown)$/i.test(nameOf(path));

/** Whether the path lies in a folder, at whatever depth; everything lies in the top. */
export const isInside = (path: string, folder: string) => folder === '' || path.startsWith(`${folder}/`);

/** A path inside a folder, as seen from it. */
export const below = (folder: string, path: string) => (folder === '' ? path : path.slice(folder.length + 1));

/** Whether a file or a folder above it begins with a dot: settings and assets, not pages. */
export const isHidden = (path: string) => path.split('/').some((part) => part.startsWith('.'));

/** The text that percent-encoding stands for; the text itself if it is not well encoded. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
