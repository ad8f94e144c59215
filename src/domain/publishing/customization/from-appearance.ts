import { isRecord } from '../../../lib/is-record.ts';
import { type ContentReferenceInput, referenceOf } from '../../content/pages/index.ts';
import type { AppearanceInput, FontInput, HeaderItemInput, LinkInput } from './appearance-input.ts';

/**
 * The customization that an appearance describes, in JSON. What the appearance leaves out is missing, and what it sets
 * to null is null.
 */
export function customizationFrom(appearance: AppearanceInput): Record<string, unknown> {
  const { icon, header, footer, announcement, pageActions, ai, socialAccounts } = appearance;
  return withoutUndefined({
    title: appearance.title,
    favicon: mapped(icon, ({ emoji, light, dark }) =>
      emoji == null ? (light == null ? {} : { icon: { light, dark } }) : { emoji },
    ),
    internationalization: group({ locale: appearance.locale }),
    styling: mapped(appearance.styling, stylingFrom),
    themes: group({ default: appearance.defaultThemeMode, toggeable: appearance.hasThemeSwitch }),
    header: mapped(header, ({ items, primaryLink, ...others }) =>
      withoutUndefined({
        ...others,
        primaryLink: mapped(primaryLink, referenceOf),
        links: mapped(items, (list) => list.map(headerItemFrom)),
      }),
    ),
    footer: mapped(footer, ({ groups, ...others }) =>
      withoutUndefined({
        ...others,
        groups: mapped(groups, (list) => list.map(({ title, links }) => ({ title, links: linksFrom(links) }))),
      }),
    ),
    announcement: mapped(announcement, ({ isEnabled, message, style, link }) => ({
      enabled: isEnabled,
      message,
      style,
      ...(link && { link: linkFrom(link) }),
    })),
    pageActions: mapped(pageActions, (items) => ({ items })),
    ai: mapped(ai, withoutUndefined),
    externalLinks: group({ target: appearance.externalLinkTarget }),
    socialAccounts: mapped(socialAccounts, (accounts) =>
      accounts.map(({ platform, handle, isInFooter, isInHeader }) => ({
        platform,
        handle,
        display: { footer: isInFooter ?? true, header: isInHeader ?? false },
      })),
    ),
    privacyPolicy: group({ url: appearance.privacyPolicyUrl }),
    socialPreview: group({ url: appearance.socialPreviewUrl }),
    feedback: group({ enabled: appearance.hasFeedback }),
    pagination: group({ enabled: appearance.hasPagination }),
    trademark: group({ enabled: appearance.hasTrademark }),
    advancedCustomization: group({ enabled: appearance.hasAdvancedCustomization }),
    insights: group({ trackingCookie: appearance.hasTrackingCookie }),
  });
}

function stylingFrom({
  tint,
  font,
  headingFont,
  monospaceFont,
  sidebar,
  codeTheme,
  openApiCodeTheme,
  ...others
}: NonNullable<AppearanceInput['styling']>) {
  return withoutUndefined({
    ...others,
    tint: mapped(tint, (color) => ({ color })),
    font: mapped(font, fontFrom),
    headingFont: mapped(headingFont, fontFrom),
    monospaceFont: mapped(monospaceFont, fontFrom),
    sidebar: mapped(sidebar, withoutUndefined),
    codeTheme: group({ default: codeTheme, openapi: openApiCodeTheme }),
  });
}

const fontFrom = ({ name, fontId, faces }: FontInput) =>
  fontId == null ? name : { id: fontId, custom: true, fontFamily: name, fontFaces: faces };

const linkFrom = ({ title, to }: LinkInput) => ({ title, to: referenceOf(to) });

const linksFrom = (links: readonly LinkInput[] | null | undefined) => (links ?? []).map(linkFrom);

const headerItemFrom = ({ title, style, to, links, condition }: HeaderItemInput) => ({
  title,
  ...(style != null && { style }),
  to: toOrNull(to),
  links: linksFrom(links),
  ...(condition != null && { condition }),
});

const toOrNull = (to: ContentReferenceInput | null | undefined) => (to ? referenceOf(to) : null);

/** Null and undefined stay. */
const mapped = <Given, Value>(value: Given | null | undefined, map: (value: Given) => Value) =>
  value == null ? (value as null | undefined) : map(value);

const withoutUndefined = (members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** An object of members that the appearance has by themselves. Undefined without any. */
function group(members: Record<string, unknown>): Record<string, unknown> | undefined {
  const definedMembers = withoutUndefined(members);
  return Object.keys(definedMembers).length === 0 ? undefined : definedMembers;
}

/** The same without null members of objects in objects, so that they get their defaults. Lists stay as they are. */
export const withoutNulls = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, isRecord(value) ? withoutNulls(value) : value]),
  );
