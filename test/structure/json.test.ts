import { type GraphQLType, getNamedType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';

const RICH_TEXT = 'rich text: a tree of some fifty types of nodes, the same in REST and in Markdown';
const REFERENCE = 'a content reference as it is written in bodies; its members are those of its kind, and kinds grow';
const BY_NAME = 'values by names that the caller chooses';
const BY_TYPE = 'its members are those of its type, which integrations add to';
const APPEARANCE = 'deprecated: `appearance` beside it has a type for each part';
const TYPED_REFERENCE = 'deprecated: a content reference, with `…Reference` beside it that has a type for each kind';
const ANY_FIELD = 'what any field of a page or file may hold';

const OPENAPI = 'objects of the OpenAPI Specification, with extensions of any name';

const FACES = 'descriptors of the faces of a font, which each renderer reads its own of';

const CLAIMS = 'JSON Schema, with claims of any name';

/**
 * Fields, arguments and inputs of open JSON, and why they have no type of their own. Whatever has a known shape gets
 * one.
 */
const OPEN: Record<string, string> = {
  'BlockChange.afterNode': RICH_TEXT,
  'BlockChange.beforeNode': RICH_TEXT,
  'BrokenLinkPreview.ref': REFERENCE,
  'ChangeRequest.description': RICH_TEXT,
  'CommentBody.document': RICH_TEXT,
  'CommentBodyInput.document': RICH_TEXT,
  'ComputedSource.dependencies': BY_TYPE,
  'ComputedSource.props': BY_TYPE,
  'AgentInstructions.document': RICH_TEXT,
  'ConflictResolutionInput.document': RICH_TEXT,
  'ConflictVersion.document': RICH_TEXT,
  'ConflictVersion.value': ANY_FIELD,
  'ContentLink.ref': REFERENCE,
  'ContentReference.ref': REFERENCE,
  'ConversationMetadataInput.attributes': BY_NAME,
  'DeadJob.data': 'what each kind of job keeps for itself; shown to operators as it is',
  'Document.document': RICH_TEXT,
  'DocumentInput.document': RICH_TEXT,
  'DocumentPage.document': RICH_TEXT,
  'DocumentPage.variables': BY_NAME,
  'ErrorIssue.path': 'names of properties are strings and indexes are integers, which no type of GraphQL unites',
  'Event.ids': 'ids by the names that each kind of event has for them',
  'FieldChange.after': ANY_FIELD,
  'FieldChange.before': ANY_FIELD,
  'InsertPageInput.computed': BY_TYPE,
  'InsertReusableContentInput.computed': BY_TYPE,
  'InsertPageInput.target': TYPED_REFERENCE,
  'InsertPageInput.variables': BY_NAME,
  'OpenApiOperation.object': OPENAPI,
  'OpenApiSchema.schema': OPENAPI,
  'OpenApiSpecContent.filesystem': OPENAPI,
  'PageCoverInput.ref': TYPED_REFERENCE,
  'PageCoverInput.refDark': TYPED_REFERENCE,
  'PageEdited.document': RICH_TEXT,
  'PageMetaLinksInput.alternates': TYPED_REFERENCE,
  'MarkdownPreview.document': RICH_TEXT,
  'OverrideSiteSpaceCustomizationInput.customization': APPEARANCE,
  'PageMetaLinksInput.canonical': TYPED_REFERENCE,
  'PublishedSite.customization': APPEARANCE,
  'PublishedSite.scripts': 'scripts of integrations, of which there are none yet',
  'ReusableContent.document': RICH_TEXT,
  'Revision.variables': BY_NAME,
  'SetVariablesInput.variables': BY_NAME,
  'Site.customization': APPEARANCE,
  'Site.preview(claims)': BY_NAME,
  'SiteAdaptiveSchema.jsonSchema': CLAIMS,
  'SiteFontInput.faces': FACES,
  'SiteFont.faces': FACES,
  'SiteSpace.customization': APPEARANCE,
  'SiteSpaceCustomization.customization': APPEARANCE,
  'SiteVisitorInput.unsignedClaims': BY_NAME,
  'Translation.instructions': RICH_TEXT,
  'SpaceTemplateParams.contentRefs': BY_NAME,
  'UpdatePageInput.computed': BY_TYPE,
  'UpdateReusableContentInput.computed': BY_TYPE,
  'UpdatePageInput.target': TYPED_REFERENCE,
  'UpdatePageInput.variables': BY_NAME,
  'UpdateSiteAdaptiveSchemaInput.jsonSchema': CLAIMS,
  'UpdateSiteCustomizationInput.customization': APPEARANCE,
};

const isJson = (type: GraphQLType) => ['JSON', 'JSONObject'].includes(getNamedType(type).name);

test('the scalar JSON is only used where no type fits', () => {
  const places = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .flatMap(({ type, field }) => {
      const args: readonly { name: string; type: GraphQLType }[] = 'args' in field ? field.args : [];
      const name = `${type.name}.${field.name}`;
      return [{ name, of: field.type }, ...args.map((arg) => ({ name: `${name}(${arg.name})`, of: arg.type }))];
    })
    .filter(({ of }) => isJson(of))
    .map(({ name }) => name);
  expect(places.sort()).toEqual(Object.keys(OPEN).sort());
});

test('JSON with a typed field beside it is deprecated', () => {
  const fields = Object.keys(OPEN).map((place) => {
    const [typeName = '', name = ''] = place.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) || isInputObjectType(type) ? type.getFields()[name] : undefined;
    return { place, reason: field?.deprecationReason ?? '' };
  });
  const typed = Object.keys(OPEN).filter((place) => [APPEARANCE, TYPED_REFERENCE].includes(OPEN[place] ?? ''));
  expect(fields.filter(({ reason }) => reason !== '').map(({ place }) => place)).toEqual(typed);
  for (const { reason } of fields.filter(({ place }) => typed.includes(place))) expect(reason).toMatch(/^Use `/);
});
