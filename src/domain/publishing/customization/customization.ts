import { z } from 'zod';
import { isRecord, recordOf } from '../../../lib/is-record.ts';
import { multilineText, nameText } from '../../../platform/shapes/text.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import {
  siteAiMode,
  siteBackground,
  siteCorners,
  siteDepth,
  siteHeaderPreset,
  siteIconsStyle,
  siteLinksStyle,
  siteLinkTarget,
  siteLocale,
  sitePageAction,
  siteSearchStyle,
  siteSidebarBackground,
  siteSidebarList,
  siteTheme,
  siteThemeMode,
} from './enums.ts';
import {
  announcement,
  codeTheme,
  color,
  favicon,
  font,
  footerGroups,
  headerItems,
  monospaceFont,
  primaryLink,
  socialAccounts,
  themedUrl,
} from './values.ts';

const same = (value: string) => ({ light: value, dark: value });
const codeThemes = { light: 'default-light', dark: 'default-dark' };
const enabled = (value: boolean) => z.object({ enabled: z.boolean().prefault(value) }).prefault({});
const link = z.object({ url: webAddress().optional() }).prefault({});

const styling = z
  .object({
    theme: siteTheme.prefault('clean'),
    primaryColor: color.prefault(same('#346ddb')),
    infoColor: color.prefault(same('#787878')),
    successColor: color.prefault(same('#00c950')),
    warningColor: color.prefault(same('#fe9a00')),
    dangerColor: color.prefault(same('#fb2c36')),
    tint: z.object({ color }).optional(),
    corners: siteCorners.prefault('rounded'),
    depth: siteDepth.prefault('subtle'),
    links: siteLinksStyle.prefault('default'),
    font: font.prefault('Inter'),
    headingFont: font.nullish(),
    monospaceFont: monospaceFont.prefault('FiraCode'),
    background: siteBackground.prefault('plain'),
    icons: siteIconsStyle.prefault('regular'),
    sidebar: z
      .object({
        background: siteSidebarBackground.prefault('default'),
        list: siteSidebarList.prefault('default'),
      })
      .prefault({}),
    search: siteSearchStyle.prefault('prominent'),
    codeTheme: z
      .object({ default: codeTheme.prefault(codeThemes), openapi: codeTheme.prefault(codeThemes) })
      .prefault({}),
  })
  .prefault({});

const PAGE_ACTIONS = sitePageAction.options;

/** Actions of pages: booleans of the earlier clients, and the list of the newest one. */
const pageActions = z
  .object({
    externalAI: z.boolean().optional(),
    markdown: z.boolean().optional(),
    mcp: z.boolean().optional(),
    items: z.array(sitePageAction).max(PAGE_ACTIONS.length).optional(),
  })
  .prefault({});

/** The appearance of a site. Members that are missing get their defaults. */
export const customizationInput = z.object({
  title: nameText(128, 2).optional(),
  styling,
  internationalization: z.object({ locale: siteLocale.prefault('en') }).prefault({}),
  favicon: favicon.prefault({}),
  header: z
    .object({
      preset: siteHeaderPreset.prefault('default'),
      logo: themedUrl.optional(),
      primaryLink: primaryLink.optional(),
      backgroundColor: color.optional(),
      linkColor: color.optional(),
      links: headerItems.prefault([]),
    })
    .prefault({}),
  footer: z
    .object({
      logo: themedUrl.optional(),
      groups: footerGroups.prefault([]),
      copyright: multilineText(0, 300).optional(),
    })
    .prefault({}),
  announcement: announcement.optional(),
  themes: z.object({ default: siteThemeMode.prefault('light'), toggeable: z.boolean().prefault(true) }).prefault({}),
  pdf: z.object({ enabled: z.boolean().optional() }).prefault({}),
  feedback: enabled(false),
  ai: z
    .object({
      mode: siteAiMode.prefault('none'),
      greeting: multilineText(0, 256).optional(),
      suggestions: z.array(multilineText(0, 256)).max(5).optional(),
      instructions: multilineText(0, 10_000).optional(),
    })
    .prefault({}),
  advancedCustomization: enabled(true),
  git: z.object({ showEditLink: z.boolean().optional() }).prefault({}),
  pageActions,
  externalLinks: z.object({ target: siteLinkTarget.prefault('self') }).prefault({}),
  pagination: enabled(true),
  trademark: enabled(false),
  privacyPolicy: link,
  socialPreview: link,
  socialAccounts: socialAccounts.prefault([]),
  insights: z.object({ trackingCookie: z.boolean().prefault(true) }).prefault({}),
});

type CustomizationInput = z.output<typeof customizationInput>;

/** The appearance of a site, with the members of all clients. */
export type Customization = Omit<CustomizationInput, 'pdf' | 'git' | 'pageActions'> & {
  pdf: { enabled: boolean };
  git: { showEditLink: boolean };
  pageActions: { externalAI: boolean; markdown: boolean; mcp: boolean; items: PageAction[] };
};

type PageAction = z.output<typeof sitePageAction>;

/** A customization with the defaults of settings that it was stored without. */
export const withDefaults = (stored: Customization): Customization =>
  mergeMembers(DEFAULT_CUSTOMIZATION, stored) as unknown as Customization; // of two customizations

/** Members of a customization that differ for one site space. Null members are those of the site. */
export type CustomizationOverride = Record<string, unknown>;

/**
 * Completes what a client sent. Actions have two forms: if the list differs from the present one, it defines the
 * booleans, otherwise the booleans define the list.
 */
export function completeCustomization(input: CustomizationInput, present: Customization | undefined): Customization {
  const { pageActions: actions, pdf, git } = input;
  const before = present?.pageActions.items;
  const isListChanged =
    actions.items !== undefined && (before === undefined || String(before) !== String(actions.items));
  const items = isListChanged && actions.items ? [...new Set(actions.items)] : itemsBy(input, before ?? []);
  const has = (action: PageAction) => items.includes(action);
  return {
    ...input,
    pageActions: { externalAI: has('external-ai'), markdown: has('markdown'), mcp: has('mcp'), items },
    pdf: { ...pdf, enabled: has('pdf') },
    git: { ...git, showEditLink: has('git') },
  };
}

/** The list that the booleans define. The assistant has no boolean. */
function itemsBy({ pageActions: actions, pdf, git }: CustomizationInput, before: readonly PageAction[]): PageAction[] {
  const on: Record<PageAction, boolean> = {
    assistant: before.includes('assistant'),
    'external-ai': actions.externalAI ?? true,
    markdown: actions.markdown ?? true,
    mcp: actions.mcp ?? true,
    git: git.showEditLink ?? false,
    pdf: pdf.enabled ?? true,
  };
  return PAGE_ACTIONS.filter((action) => on[action]);
}

export const DEFAULT_CUSTOMIZATION = completeCustomization(customizationInput.parse({}), undefined);

/** Members whose value is replaced as a whole. */
const WHOLE = new Set(['primaryLink', 'announcement', 'favicon', 'logo', 'font', 'headingFont', 'monospaceFont']);

/**
 * Changes members of `under`, down to those that are replaced as a whole. Null removes a member from the result, so
 * that no null is left outside of lists and of what is replaced as a whole.
 */
export function mergeMembers(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const result = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const before = result[name];
    if (value === null) delete result[name];
    else if (isRecord(value) && !WHOLE.has(name)) result[name] = mergeMembers(recordOf(before), value);
    else result[name] = value;
  }
  return result;
}

/** The override after a change: null members return to the values of the site. */
export const changedOverride = (before: CustomizationOverride, change: Record<string, unknown>) =>
  mergeMembers(mergeMembers({}, before), change) as CustomizationOverride;

/** The members of a validated customization that an override names. Members that no customization has are left out. */
export function membersNamed(validated: Record<string, unknown>, override: CustomizationOverride) {
  const members = Object.entries(override).flatMap(([name, value]): [string, unknown][] => {
    const member = validated[name];
    if (member === undefined) return [];
    const isGroup = isRecord(value) && isRecord(member) && !WHOLE.has(name);
    return [[name, isGroup ? membersNamed(member, value) : member]];
  });
  return Object.fromEntries(members) as CustomizationOverride;
}

/** The appearance of a site space: the site's, with the members of the override. Null members keep the site's value. */
export const applyOverride = (site: Customization, override: CustomizationOverride): Customization =>
  mergeMembers(site, mergeMembers({}, override)) as unknown as Customization; // overrides are checked as parts of a customization
