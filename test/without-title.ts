/** The Markdown of a page in REST without its title, which it begins with. Empty for pages without a body. */
export const withoutTitle = (markdown: string | undefined): string => (markdown ?? '').replace(/^# [^\n]*\n\n/, '');

/** A page in REST with its Markdown, if there is any, without its title. */
export const untitled = <Page extends { markdown?: string }>(page: Page): Page =>
  page.markdown === undefined ? page : { ...page, markdown: withoutTitle(page.markdown) };
