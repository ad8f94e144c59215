import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const siteTheme = namedEnum('SiteTheme', 'Overall look of a site.', {
  clean: 'Plain surfaces (default).',
  muted: 'Tinted surfaces.',
  bold: 'A header in the primary color.',
  gradient: 'A background with a gradient. The pages of this service show it like `CLEAN`.',
});

export const siteCorners = namedEnum('SiteCorners', 'Corners of buttons, cards and images.', {
  straight: 'Right angles.',
  rounded: 'Rounded corners (default).',
  circular: 'Corners as round as the element allows.',
});

export const siteDepth = namedEnum('SiteDepth', 'Depth of cards and buttons.', {
  subtle: 'Soft shadows (default).',
  flat: 'No shadows.',
});

export const siteLinksStyle = namedEnum('SiteLinksStyle', 'Color of links in text.', {
  default: 'Links have the color of the text (default).',
  accent: 'Links have an accent color that is made from the primary one.',
});

export const siteBackground = namedEnum('SiteBackground', 'Background of pages.', {
  plain: 'White or black (default).',
  match: 'Tinted with the color `tint`, if there is one.',
});

export const siteIconsStyle = namedEnum('SiteIconsStyle', 'Style of the icons of pages and links.', {
  regular: 'Outlines of medium width (default).',
  solid: 'Filled shapes.',
  duotone: 'Shapes in two shades.',
  light: 'Thin outlines.',
  thin: 'Very thin outlines.',
});

export const siteSidebarBackground = namedEnum('SiteSidebarBackground', 'Color behind the sidebar.', {
  default: 'Same as the page (default).',
  filled: 'Shaded differently from the page.',
});

export const siteSidebarList = namedEnum('SiteSidebarList', 'Mark of the current page in the sidebar.', {
  default: 'No mark (default).',
  pill: 'A filled background.',
  line: 'A line at its edge.',
});

export const siteSearchStyle = namedEnum('SiteSearchStyle', 'Size of the search in the header.', {
  prominent: 'A wide field (default).',
  subtle: 'A small field.',
});

export const siteHeaderPreset = namedEnum('SiteHeaderPreset', 'Colors of the header.', {
  default: 'The colors of the theme (default).',
  bold: 'The primary color.',
  contrast: 'The colors of text and background of the page, exchanged.',
  custom: 'The colors `backgroundColor` and `linkColor`.',
  none: 'No header.',
});

export const siteHeaderItemStyle = namedEnum('SiteHeaderItemStyle', 'Look of an item of the header.', {
  link: 'Text without a frame (default).',
  'button-primary': 'A button in the primary color.',
  'button-secondary': 'A button with an outline.',
});

export const siteAnnouncementStyle = namedEnum('SiteAnnouncementStyle', 'Look of an announcement.', {
  info: 'Colors of information.',
  warning: 'Colors of warnings.',
  danger: 'Colors of dangers.',
  success: 'Colors of success.',
});

export const siteThemeMode = namedEnum('SiteThemeMode', 'Whether pages are light or dark.', {
  light: 'Light pages.',
  dark: 'Dark pages.',
  system: "As the visitor's device is set.",
});

export const siteAiMode = namedEnum('SiteAiMode', 'Help that visitors get from a model.', {
  none: 'None. The service has no model, so that `PublishedSite` has this mode whatever is stored.',
  search: 'Answers above the results of a search.',
  assistant: 'A conversation.',
});

export const sitePageAction = namedEnum('SitePageAction', 'An action in the menu of each page.', {
  assistant: 'Ask the assistant of the site.',
  'external-ai': 'Open the page in an external assistant.',
  markdown: 'Copy or open the page as Markdown.',
  mcp: 'Connect to the MCP endpoint of the site.',
  git: 'Edit the page in its Git repository.',
  pdf: 'Save the page as PDF.',
});

export const siteLinkTarget = namedEnum('SiteLinkTarget', 'Tab in which links to other websites open.', {
  self: 'In the same tab (default).',
  blank: 'In a new tab.',
});

export const siteLocale = namedEnum('SiteLocale', "Language of a site's own words, such as those of its buttons.", {
  en: 'English (default).',
  fr: 'French.',
  es: 'Spanish.',
  zh: 'Chinese.',
  ja: 'Japanese.',
  de: 'German.',
  nl: 'Dutch.',
  no: 'Norwegian.',
  'pt-br': 'Brazilian Portuguese.',
  ru: 'Russian.',
});

export const siteSocialPlatform = namedEnum(
  'SiteSocialPlatform',
  'A platform on which the owner of a site has an account.',
  {
    twitter: 'Links lead to `https://x.com/…`.',
    instagram: 'Links lead to `https://www.instagram.com/…`.',
    facebook: 'Links lead to `https://www.facebook.com/…`.',
    linkedin: 'Links lead to `https://www.linkedin.com/…`.',
    github: 'Links lead to `https://github.com/…`.',
    discord: 'Links lead to `https://discord.com/invite/…`.',
    slack: 'Links lead to `https://join.slack.com/t/…`.',
    youtube: 'Links lead to `https://www.youtube.com/…`.',
    tiktok: 'Links lead to `https://www.tiktok.com/@…`.',
    reddit: 'Links lead to `https://www.reddit.com/…`.',
    bluesky: 'Links lead to `https://bsky.app/profile/…`.',
    mastodon: 'Links lead to `https://mastodon.social/@…`.',
    threads: 'Links lead to `https://www.threads.net/@…`.',
    medium: 'Links lead to `https://medium.com/@…`.',
  },
);
