import { z } from 'zod';
import { lineText, multilineText, nameText } from '../../../platform/shapes/text.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { contentReferenceInput } from '../../content/pages/index.ts';
import { siteIcon } from '../sites/index.ts';
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
import { MAX_CUSTOMIZATION } from './settings.ts';
import {
  codeTheme,
  color,
  DEFAULT_FONTS,
  headerCondition,
  MAX_APPEARANCE_ITEMS,
  MONOSPACE_FONTS,
  themedUrl,
} from './values.ts';

// The appearance of a site as inputs of the graph write it, with a type for each part. `appearance.ts` has the outputs.

const { light, dark } = color.shape;
const themedColor = z
  .object({
    light: light.describe('Color on light pages, in hexadecimal: `#346ddb` or `#fff`.'),
    dark: dark.describe('Color on dark pages, in hexadecimal: `#346ddb` or `#fff`.'),
  })
  .meta({ inputName: 'SiteThemedColorInput', description: 'A color for light pages and one for dark pages.' });

const themedImage = z
  .object({
    light: themedUrl.shape.light.describe('URL of the image for light pages, up to 2,048 characters.'),
    dark: themedUrl.shape.dark.describe('URL of the image for dark pages, up to 2,048 characters.'),
  })
  .meta({ inputName: 'SiteThemedImageInput', description: 'An image for light pages and one for dark pages.' });

const codeThemes = z
  .object({
    light: codeTheme.shape.light.describe('Name of the color scheme on light pages, such as `default-light`.'),
    dark: codeTheme.shape.dark.describe('Name of the color scheme on dark pages, such as `default-dark`.'),
  })
  .meta({ inputName: 'SiteCodeThemeInput', description: 'Color schemes of code.' });

const font = z
  .object({
    name: nameText(100).describe(
      'Name of the font, such as `Inter`, or the family of a font of the organization, which then has `fontId` and `faces`.',
    ),
    fontId: lineText(1, 100).nullish().describe('ID that the organization chose for its font.'),
    faces: z
      .array(z.looseObject({}).meta({ scalar: 'JSONObject' }))
      .min(1)
      .max(MAX_APPEARANCE_ITEMS)
      .nullish()
      .describe(
        `Faces of a font of the organization, up to ${MAX_APPEARANCE_ITEMS}, with the properties that its renderer reads.`,
      ),
  })
  .refine(({ fontId, faces }) => (fontId == null) === (faces == null), {
    error: 'must have both fontId and faces, or neither',
  })
  .meta({
    inputName: 'SiteFontInput',
    description: 'A font of a site: one that renderers know by its name, or one of the organization.',
  });

type FontInput = z.output<typeof font>;

const isKnown = (input: FontInput | null | undefined, names: readonly string[]) =>
  input == null || input.fontId != null || names.includes(input.name);

const knownAs = (names: readonly string[], member: string) => ({
  error: `must be a font of the organization, with fontId and faces, or one of ${names.join(', ')}`,
  path: [member, 'name'],
});

const styling = z
  .object({
    theme: siteTheme.nullish().describe('Overall look.'),
    primaryColor: themedColor.nullish().describe('Color of buttons and of the current page.'),
    infoColor: themedColor.nullish().describe('Color of information.'),
    successColor: themedColor.nullish().describe('Color of messages about success.'),
    warningColor: themedColor.nullish().describe('Color of warnings.'),
    dangerColor: themedColor.nullish().describe('Color of dangers.'),
    tint: themedColor.nullish().describe('Color that surfaces are tinted with. Default: none.'),
    corners: siteCorners.nullish().describe('Corners of buttons, cards and images.'),
    depth: siteDepth.nullish().describe('Depth of cards and buttons.'),
    links: siteLinksStyle.nullish().describe('Color of links in text.'),
    font: font.nullish().describe('Font of text.'),
    headingFont: font.nullish().describe('Font of headings. Default: the text font.'),
    monospaceFont: font.nullish().describe('Font of code.'),
    background: siteBackground.nullish().describe('Background of pages.'),
    icons: siteIconsStyle.nullish().describe('Style of icons.'),
    sidebar: z
      .object({
        background: siteSidebarBackground.nullish().describe('Color behind the sidebar.'),
        list: siteSidebarList.nullish().describe('Mark of the current page.'),
      })
      .meta({ inputName: 'SiteSidebarInput', description: 'Look of the sidebar of a site.' })
      .nullish(),
    search: siteSearchStyle.nullish().describe('Size of the search in the header.'),
    codeTheme: codeThemes.nullish().describe('Color schemes of code blocks.'),
    openApiCodeTheme: codeThemes.nullish().describe('Color schemes of code in blocks of OpenAPI operations.'),
  })
  .refine((value) => isKnown(value.font, DEFAULT_FONTS), knownAs(DEFAULT_FONTS, 'font'))
  .refine((value) => isKnown(value.headingFont, DEFAULT_FONTS), knownAs(DEFAULT_FONTS, 'headingFont'))
  .refine((value) => isKnown(value.monospaceFont, MONOSPACE_FONTS), knownAs(MONOSPACE_FONTS, 'monospaceFont'))
  .meta({ inputName: 'SiteStylingInput', description: 'Colors, fonts and shapes of a site.' });

const link = z
  .object({
    title: lineText(0, 64).describe('Text of the link, up to 64 characters.'),
    to: contentReferenceInput,
  })
  .meta({
    inputName: 'SiteLinkInput',
    description: 'A link in a menu, in the footer or in the announcement of a site.',
  });

const links = (description: string) =>
  z.array(link).max(MAX_APPEARANCE_ITEMS).nullish().describe(`${description}, up to ${MAX_APPEARANCE_ITEMS}.`);

const headerItem = z
  .object({
    title: lineText(0, 64).describe('Text of the item, up to 64 characters.'),
    style: siteHeaderItemStyle.nullish().describe('Look of the item. Default `LINK`.'),
    to: contentReferenceInput.nullish().describe('Target of the link or button. Null for a menu.'),
    links: links('Links of the menu'),
    condition: headerCondition
      .nullish()
      .describe("Expression on the visitor's claims. The item is hidden unless it is true. Up to 1,024 characters."),
  })
  .meta({
    inputName: 'SiteHeaderItemInput',
    description: 'An item of the header of a site: a link, a button or a menu of links.',
  });

const header = z
  .object({
    preset: siteHeaderPreset.nullish().describe('Colors of the header.'),
    logo: themedImage.nullish().describe('Logo. Default: none, so that the icon and the title are shown.'),
    primaryLink: contentReferenceInput
      .nullish()
      .describe('Target of the logo and the title. Default: the first page of the site.'),
    backgroundColor: themedColor.nullish().describe('Background with the preset `CUSTOM`.'),
    linkColor: themedColor.nullish().describe('Color of links with the preset `CUSTOM`.'),
    items: z
      .array(headerItem)
      .max(MAX_APPEARANCE_ITEMS)
      .nullish()
      .describe(`Links, buttons and menus, up to ${MAX_APPEARANCE_ITEMS}.`),
  })
  .meta({ inputName: 'SiteHeaderInput', description: 'The bar at the top of all pages of a site.' });

const footerGroup = z
  .object({
    title: lineText(0, 64).describe('Heading of the group, up to 64 characters.'),
    links: links('Links of the group'),
  })
  .meta({ inputName: 'SiteFooterGroupInput', description: 'A group of links in the footer of a site.' });

const footer = z
  .object({
    logo: themedImage.nullish().describe('Logo. Default: none.'),
    groups: z
      .array(footerGroup)
      .max(MAX_APPEARANCE_ITEMS)
      .nullish()
      .describe(`Groups of links, up to ${MAX_APPEARANCE_ITEMS}.`),
    copyright: multilineText(0, 300).nullish().describe('Copyright notice, up to 300 characters. Default: none.'),
  })
  .meta({ inputName: 'SiteFooterInput', description: 'The part at the end of all pages of a site.' });

const announcement = z
  .object({
    isEnabled: z.boolean().describe('Whether the announcement is shown.'),
    message: lineText(2, 128).describe('Text, 2 to 128 characters.'),
    style: siteAnnouncementStyle.describe('Look of the announcement.'),
    link: link.nullish().describe('Link after the text. Null for none.'),
  })
  .meta({ inputName: 'SiteAnnouncementInput', description: 'An announcement at the top of all pages of a site.' });

const ai = z
  .object({
    mode: siteAiMode.nullish().describe('Kind of help.'),
    greeting: multilineText(0, 256).nullish().describe('First words of the assistant, up to 256 characters.'),
    suggestions: z
      .array(multilineText(0, 256))
      .max(5)
      .nullish()
      .describe('Suggested questions, up to 5 of up to 256 characters.'),
    instructions: multilineText(0, 10_000).nullish().describe('Instructions to the model, up to 10,000 characters.'),
  })
  .meta({ inputName: 'SiteAiSettingsInput', description: 'Help that visitors of a site get from a model.' });

const socialAccount = z
  .object({
    platform: siteSocialPlatform.describe('Platform of the account.'),
    handle: lineText(1, 255).describe('Name of the account on the platform, up to 255 characters.'),
    isInFooter: z.boolean().nullish().describe('Whether the footer links to the account. Default true.'),
    isInHeader: z.boolean().nullish().describe('Whether the header links to the account. Default false.'),
  })
  .meta({
    inputName: 'SiteSocialAccountInput',
    description: 'An account of the owner of a site on a social platform.',
  });

/** An appearance of up to 100,000 characters of JSON. */
export const appearanceInput = z
  .object({
    title: nameText(128, 2).nullish().describe('Title of the site, 2 to 128 characters.'),
    icon: siteIcon.nullish().describe('Icon of the site: an emoji, or a light and a dark image.'),
    locale: siteLocale.nullish().describe("Language of the site's own words."),
    styling: styling.nullish().describe('Colors, fonts and shapes.'),
    defaultThemeMode: siteThemeMode.nullish().describe('Whether pages are light or dark at first.'),
    hasThemeSwitch: z.boolean().nullish().describe('Whether visitors can choose light or dark pages.'),
    header: header.nullish().describe('Bar at the top of all pages.'),
    footer: footer.nullish().describe('Part at the end of all pages.'),
    announcement: announcement.nullish().describe('Announcement at the top of all pages.'),
    pageActions: z
      .array(sitePageAction)
      .max(sitePageAction.options.length)
      .nullish()
      .describe('Actions in the menu of each page, in their order.'),
    ai: ai.nullish().describe('Help from a model.'),
    externalLinkTarget: siteLinkTarget.nullish().describe('Tab in which links to other websites open.'),
    socialAccounts: z.array(socialAccount).max(10).nullish().describe('Accounts on social platforms, up to 10.'),
    privacyPolicyUrl: webAddress().nullish().describe('URL of the privacy policy, up to 2,048 characters.'),
    socialPreviewUrl: webAddress()
      .nullish()
      .describe('URL of the image that other websites show with links to the site, up to 2,048 characters.'),
    hasFeedback: z.boolean().nullish().describe('Whether visitors can rate pages.'),
    hasPagination: z.boolean().nullish().describe('Whether pages link to the previous and the next page.'),
    hasTrademark: z.boolean().nullish().describe('Whether pages name the software that serves them.'),
    hasAdvancedCustomization: z
      .boolean()
      .nullish()
      .describe('Whether settings of higher plans apply. It does not limit anything here.'),
    hasTrackingCookie: z.boolean().nullish().describe('Whether insights can set a cookie for visitors.'),
  })
  .refine((value) => JSON.stringify(value).length <= MAX_CUSTOMIZATION, {
    error: `must be at most ${MAX_CUSTOMIZATION} characters of JSON`,
  })
  .meta({
    inputName: 'SiteAppearanceInput',
    description:
      'Appearance of a site, or of a space on it. Every field is optional. On a site, a missing field or null sets the default, except for the title, which keeps its value. On a space, a missing field keeps its value, and null returns to the value of the site.',
  });

export type AppearanceInput = z.output<typeof appearanceInput>;
export type { FontInput };
export type LinkInput = z.output<typeof link>;
export type HeaderItemInput = z.output<typeof headerItem>;
