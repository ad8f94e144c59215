const MEMBER = /^([A-Za-z_][\w-]{0,100})[ \t]*:/;

/** A page without some members of its front matter. A member includes the indented lines and list items below it. */
export function withoutMembers(page: string, names: ReadonlySet<string>): string {
  if (!page.startsWith('---')) return page;
  const lines = page.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end < 0) return page;
  let isLeft = false;
  const front = lines.slice(0, end).filter((line) => {
    const name = MEMBER.exec(line)?.[1];
    if (name !== undefined) isLeft = names.has(name);
    else if (/^[^\s-]/.test(line) || line.startsWith('---')) isLeft = false;
    return !isLeft;
  });
  return [...front, ...lines.slice(end)].join('\n');
}
