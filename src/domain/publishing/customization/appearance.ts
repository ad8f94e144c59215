import type { z } from 'zod';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { siteIconShown } from '../sites/index.ts';
import type { Customization } from './customization.ts';
import {
  siteAiMode,
  siteAnnouncementStyle,
  siteBackground,
  siteCorners,
  siteDepth,
  siteHeaderItemStyle,
  siteHeaderPreset,
  siteIconsStyle,
  siteLinksStyle,
  siteLinkTarget,
  siteLocale,
  sitePageAction,
  siteSearchStyle,
  siteSidebarBackground,
  siteSidebarList,
  siteSocialPlatform,
  siteTheme,
  siteThemeMode,
} from './enums.ts';
import type { announcement, footerGroups, headerItem, socialAccounts } from './values.ts';

// A customization as the graph shows it, with a type for each part. In REST it is one object of JSON.

type Styling = Customization['styling'];
type ThemedText = Record<'light' | 'dark', string>;
type Font = Styling['font'] | Styling['monospaceFont'];
type HeaderItem = z.output<typeof headerItem>;
type FooterGroup = z.output<typeof footerGroups>[number];
type Announcement = z.output<typeof announcement>;
type SocialAccount = z.output<typeof socialAccounts>[number];

/** A title with a target. The graph adds the target. */
export type TitledLink = HeaderItem['links'][number];

/** A customization as it is read: with the time of its last change. */
export type Appearance = Customization & { updatedAt?: string };

const themedColor = resource<ThemedText>(
  { name: 'SiteThemedColor', description: 'A color for light pages and one for dark pages.' },
  (f) => ({
    light: f.string('Color on light pages, in hexadecimal: `#346ddb` or `#fff`.', ({ light }) => light),
    dark: f.string('Color on dark pages, in hexadecimal: `#346ddb` or `#fff`.', ({ dark }) => dark),
  }),
);

const themedImage = resource<ThemedText>(
  { name: 'SiteThemedImage', description: 'An image for light pages and one for dark pages.' },
  (f) => ({
    light: f.url('URL of the image for light pages.', ({ light }) => light),
    dark: f.url('URL of the image for dark pages.', ({ dark }) => dark),
  }),
);

const codeTheme = resource<ThemedText>({ name: 'SiteCodeTheme', description: 'Color schemes of code.' }, (f) => ({
  light: f.string('Name of the color scheme on light pages, such as `default-light`.', ({ light }) => light),
  dark: f.string('Name of the color scheme on dark pages, such as `default-dark`.', ({ dark }) => dark),
}));

const siteFont = resource<Font>(
  {
    name: 'SiteFont',
    description: 'A font of a site: one that renderers know by its name, or one of the organization.',
  },
  (f) => ({
    name: f.string('Name of the font, such as `Inter`, or the family of a font of the organization.', (font) =>
      typeof font === 'string' ? font : font.fontFamily,
    ),
    isCustom: f.boolean('Whether it is a font of the organization, with `faces`.', (font) => typeof font !== 'string'),
    fontId: f
      .id()
      .optional('ID that the organization chose for its font. Null for fonts that are known by name.', (font) =>
        typeof font === 'string' ? null : font.id,
      ),
    faces: f.list(types.jsonObject())(
      'Faces of a font of the organization, with the properties that its renderer reads, such as `sources`.',
      (font) => (typeof font === 'string' ? [] : font.fontFaces),
    ),
  }),
);

const sidebar = resource<Styling['sidebar']>(
  { name: 'SiteSidebar', description: 'Look of the sidebar of a site.' },
  (f) => ({
    background: f.enum(siteSidebarBackground)('Color behind the sidebar.', ({ background }) => background),
    list: f.enum(siteSidebarList)('Mark of the current page.', ({ list }) => list),
  }),
);

const styling = resource<Styling>({ name: 'SiteStyling', description: 'Colors, fonts and shapes of a site.' }, (f) => ({
  theme: f.enum(siteTheme)('Overall look.', (row) => row.theme),
  primaryColor: f.object(() => themedColor)('Color of buttons and of the current page.', (row) => row.primaryColor),
  infoColor: f.object(() => themedColor)('Color of information.', (row) => row.infoColor),
  successColor: f.object(() => themedColor)('Color of messages about success.', (row) => row.successColor),
  warningColor: f.object(() => themedColor)('Color of warnings.', (row) => row.warningColor),
  dangerColor: f.object(() => themedColor)('Color of dangers.', (row) => row.dangerColor),
  tint: f
    .object(() => themedColor)
    .optional('Color that surfaces are tinted with. Null for none.', (row) => row.tint?.color),
  corners: f.enum(siteCorners)('Corners of buttons, cards and images.', (row) => row.corners),
  depth: f.enum(siteDepth)('Depth of cards and buttons.', (row) => row.depth),
  links: f.enum(siteLinksStyle)('Color of links in text.', (row) => row.links),
  font: f.object(() => siteFont)('Font of text.', (row) => row.font),
  headingFont: f.object(() => siteFont).optional('Font of headings. Null: the text font.', (row) => row.headingFont),
  monospaceFont: f.object(() => siteFont)('Font of code.', (row) => row.monospaceFont),
  background: f.enum(siteBackground)('Background of pages.', (row) => row.background),
  icons: f.enum(siteIconsStyle)('Style of icons.', (row) => row.icons),
  sidebar: f.object(() => sidebar)('Look of the sidebar.', (row) => row.sidebar),
  search: f.enum(siteSearchStyle)('Size of the search in the header.', (row) => row.search),
  codeTheme: f.object(() => codeTheme)('Color schemes of code blocks.', (row) => row.codeTheme.default),
  openApiCodeTheme: f.object(() => codeTheme)(
    'Color schemes of code in blocks of OpenAPI operations.',
    (row) => row.codeTheme.openapi,
  ),
}));

/** A link of a menu or of the footer. */
export const siteLink = resource<TitledLink>(
  { name: 'SiteLink', description: 'A link in a menu, in the footer or in the announcement of a site.' },
  (f) => ({ title: f.string('Text of the link, up to 64 characters.', ({ title }) => title) }),
);

/** An item of the header. */
export const siteHeaderItem = resource<HeaderItem>(
  { name: 'SiteHeaderItem', description: 'An item of the header of a site: a link, a button or a menu of links.' },
  (f) => ({
    title: f.string('Text of the item, up to 64 characters.', ({ title }) => title),
    style: f.enum(siteHeaderItemStyle)('Look of the item.', ({ style }) => style ?? 'link'),
    links: f.list(types.object(() => siteLink))(
      'Links of the menu. Empty for a link or a button.',
      ({ links }) => links,
    ),
    condition: f.string.optional(
      'Expression on the claims of the visitor, without which the item is hidden. Null to show it always.',
      ({ condition }) => condition,
    ),
  }),
);

/** The header of a site. */
export const siteHeader = resource<Customization['header']>(
  { name: 'SiteHeader', description: 'The bar at the top of all pages of a site.' },
  (f) => ({
    preset: f.enum(siteHeaderPreset)('Colors of the header.', ({ preset }) => preset),
    logo: f.object(() => themedImage).optional('Logo. Null to show the icon and the title.', ({ logo }) => logo),
    backgroundColor: f
      .object(() => themedColor)
      .optional('Background with the preset `CUSTOM`. Null for the default.', ({ backgroundColor }) => backgroundColor),
    linkColor: f
      .object(() => themedColor)
      .optional('Color of links with the preset `CUSTOM`. Null for the default.', ({ linkColor }) => linkColor),
    items: f.list(types.object(() => siteHeaderItem))('Links, buttons and menus, up to 50.', ({ links }) => links),
  }),
);

const footerGroup = resource<FooterGroup>(
  { name: 'SiteFooterGroup', description: 'A group of links in the footer of a site.' },
  (f) => ({
    title: f.string('Heading of the group, up to 64 characters.', ({ title }) => title),
    links: f.list(types.object(() => siteLink))('Links of the group, up to 50.', ({ links }) => links),
  }),
);

const footer = resource<Customization['footer']>(
  { name: 'SiteFooter', description: 'The part at the end of all pages of a site.' },
  (f) => ({
    logo: f.object(() => themedImage).optional('Logo. Null for none.', ({ logo }) => logo),
    groups: f.list(types.object(() => footerGroup))('Groups of links, up to 50.', ({ groups }) => groups),
    copyright: f.string.optional('Copyright notice, up to 300 characters. Null for none.', (row) => row.copyright),
  }),
);

const siteAnnouncement = resource<Announcement>(
  { name: 'SiteAnnouncement', description: 'An announcement at the top of all pages of a site.' },
  (f) => ({
    isEnabled: f.boolean('Whether the announcement is shown.', ({ enabled }) => enabled),
    message: f.string('Text, 2 to 128 characters.', ({ message }) => message),
    style: f.enum(siteAnnouncementStyle)('Look of the announcement.', ({ style }) => style),
    link: f.object(() => siteLink).optional('Link after the text. Null for none.', ({ link }) => link),
  }),
);

const aiSettings = resource<Customization['ai']>(
  { name: 'SiteAiSettings', description: 'Help that visitors of a site get from a model.' },
  (f) => ({
    mode: f.enum(siteAiMode)(
      'Kind of help. Always `NONE` in `PublishedSite`, because the service has no model.',
      ({ mode }) => mode,
    ),
    greeting: f.string.optional('First words of the assistant. Null for the default.', ({ greeting }) => greeting),
    suggestions: f.list(types.string)('Suggested questions, up to 5.', ({ suggestions }) => suggestions ?? []),
    instructions: f.string.optional('Instructions to the model. Null for none.', ({ instructions }) => instructions),
  }),
);

const socialAccount = resource<SocialAccount>(
  { name: 'SiteSocialAccount', description: 'An account of the owner of a site on a social platform.' },
  (f) => ({
    platform: f.enum(siteSocialPlatform)('Platform of the account.', ({ platform }) => platform),
    handle: f.string('Name of the account on the platform.', ({ handle }) => handle),
    isInFooter: f.boolean('Whether the footer links to the account.', ({ display }) => display.footer),
    isInHeader: f.boolean('Whether the header links to the account.', ({ display }) => display.header),
  }),
);

/** The appearance of a site or a site space. */
export const siteAppearance = resource<Appearance>(
  {
    name: 'SiteAppearance',
    description:
      'Appearance of a site, or of a space on it: what renderers need to show its pages. Settings that were never changed have their defaults.',
  },
  (f) => ({
    title: f.string('Title of the site.', ({ title }) => title ?? ''),
    icon: f
      .object(() => siteIconShown)
      .optional('Icon of the site. Null if there is none.', ({ favicon }) => {
        if ('emoji' in favicon) return { emoji: favicon.emoji };
        return 'icon' in favicon ? favicon.icon : null;
      }),
    locale: f.enum(siteLocale)("Language of the site's own words.", ({ internationalization: { locale } }) => locale),
    styling: f.object(() => styling)('Colors, fonts and shapes.', (row) => row.styling),
    defaultThemeMode: f.enum(siteThemeMode)(
      'Whether pages are light or dark at first.',
      ({ themes }) => themes.default,
    ),
    hasThemeSwitch: f.boolean('Whether visitors can choose light or dark pages.', ({ themes }) => themes.toggeable),
    header: f.object(() => siteHeader)('Bar at the top of all pages.', (row) => row.header),
    footer: f.object(() => footer)('Part at the end of all pages.', (row) => row.footer),
    announcement: f
      .object(() => siteAnnouncement)
      .optional('Announcement at the top of all pages. Null if there is none.', (row) => row.announcement),
    pageActions: f.list(types.enum(sitePageAction))(
      'Actions in the menu of each page, in their order.',
      (row) => row.pageActions.items,
    ),
    ai: f.object(() => aiSettings)('Help from a model.', (row) => row.ai),
    externalLinkTarget: f.enum(siteLinkTarget)(
      'Tab in which links to other websites open.',
      ({ externalLinks }) => externalLinks.target,
    ),
    socialAccounts: f.list(types.object(() => socialAccount))(
      'Accounts on social platforms, up to 10.',
      (row) => row.socialAccounts,
    ),
    privacyPolicyUrl: f.url.optional(
      'URL of the privacy policy. Null if there is none.',
      (row) => row.privacyPolicy.url,
    ),
    socialPreviewUrl: f.url.optional(
      'URL of the image that other websites show with links to the site. Null for one that is made of the title.',
      (row) => row.socialPreview.url,
    ),
    hasFeedback: f.boolean('Whether visitors can rate pages.', ({ feedback }) => feedback.enabled),
    hasPagination: f.boolean('Whether pages link to the previous and the next page.', (row) => row.pagination.enabled),
    hasTrademark: f.boolean('Whether pages name the software that serves them.', ({ trademark }) => trademark.enabled),
    hasAdvancedCustomization: f.boolean(
      'Whether settings of higher plans apply. It does not limit anything here.',
      ({ advancedCustomization }) => advancedCustomization.enabled,
    ),
    hasTrackingCookie: f.boolean(
      'Whether insights can set a cookie for visitors.',
      (row) => row.insights.trackingCookie,
    ),
    updatedAt: f.time.optional('Time of the last change. Null if nothing was changed yet.', (row) => row.updatedAt),
  }),
);
