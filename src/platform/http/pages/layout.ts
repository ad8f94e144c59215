/** The logo: versions that branch off a stem. It has the colour of the surrounding text. */
export const MARK =
  '<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true">' +
  '<path d="M7 18V6M7 14c0-4 10-1 10-6"/><circle cx="7" cy="4" r="2.2" fill="currentColor"/>' +
  '<circle cx="7" cy="20" r="2.2" fill="currentColor"/><circle cx="17" cy="6" r="2.2" fill="currentColor"/></svg>';

/** The logo as the icon of a page, in a colour that is visible on light and dark backgrounds. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(
  MARK.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"').replaceAll('currentColor', '#0f766e'),
)}`;

/** Colours and fonts of all pages. Contrast is at least 4.5:1 (WCAG 2.2, 1.4.3). */
export const BASE_STYLE = `
:root { color-scheme: light dark; --text: #1c2624; --soft: #55625f; --line: #d5dcda; --back: #fff; --raised: #f4f7f6; --accent: #0f766e; --alarm: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6ecea; --soft: #a3b1ad; --line: #33403d; --back: #141b1a; --raised: #1d2625; --accent: #5ec9bd; --alarm: #ff9c92; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.brand { display: inline-flex; align-items: center; gap: .5rem; color: var(--text); font-weight: 600; text-decoration: none; }
.brand svg { color: var(--accent); }
`;

export interface Page {
  title: string;
  description: string;
  style: string;
  /** HTML inside of `body`. */
  body: string;
}

/** A page without scripts. `title` and `description` must be safe HTML. */
export const htmlPage = ({ title, description, style, body }: Page) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${BASE_STYLE}${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
