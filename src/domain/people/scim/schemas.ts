import SCIMMY from 'scimmy';
import { ScimError } from '../../../platform/errors/scim-error.ts';

const { Attribute, SchemaDefinition } = SCIMMY.Types;
type AttributeDefinition = InstanceType<typeof Attribute>;
type Definition = InstanceType<typeof SchemaDefinition>;

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export interface Email {
  value?: string;
  display?: string;
  type?: string;
  primary?: boolean;
}

/** The attributes of a user that are stored as the identity provider sends them. */
export interface Profile {
  name?: Record<string, string>;
  displayName?: string;
  nickName?: string;
  title?: string;
  userType?: string;
  preferredLanguage?: string;
  locale?: string;
  timezone?: string;
  emails?: Email[];
  [ENTERPRISE]?: Record<string, unknown>;
}

/** A user as a client writes it. */
export interface UserData extends Profile {
  userName: string;
  externalId?: string;
  active?: boolean;
}

const text = (name: string, description: string, config: object = {}) =>
  new Attribute('string', name, { description, ...config });

const READ_ONLY = { mutable: false, direction: 'out' };

/** What is kept of a user. Other attributes of the schema are accepted without effect. */
export const userDefinition = new SchemaDefinition('User', USER, 'Member of the organization.', [
  text('userName', 'Name of the user at the identity provider, unique in the organization in any case.', {
    required: true,
    uniqueness: 'server',
  }),
  new Attribute('complex', 'name', { description: 'Parts of the name.' }, [
    text('formatted', 'Whole name.'),
    text('familyName', 'Family name.'),
    text('givenName', 'Given name.'),
    text('middleName', 'Middle names.'),
    text('honorificPrefix', 'Title before the name.'),
    text('honorificSuffix', 'Title after the name.'),
  ]),
  text('displayName', 'Name to show.'),
  text('nickName', 'Casual name.'),
  text('title', 'Title in the organization.'),
  text('userType', 'Relationship to the organization.'),
  text('preferredLanguage', 'Preferred language.'),
  text('locale', 'Language and region for formats.'),
  text('timezone', 'Time zone.'),
  new Attribute('boolean', 'active', {
    description: 'Whether the member has access. Deactivating ends its access, and its SSO sessions and tokens.',
  }),
  new Attribute(
    'complex',
    'emails',
    {
      multiValued: true,
      description: 'Email addresses. The primary one is that of the membership, and finds the account at a sign-in.',
    },
    [
      text('value', 'Email address.'),
      text('display', 'Name to show.'),
      text('type', 'Kind, such as work.'),
      new Attribute('boolean', 'primary', { description: 'Whether this is the primary address.' }),
    ],
  ),
  new Attribute('complex', 'groups', { multiValued: true, description: 'Teams of the member.', ...READ_ONLY }, [
    text('value', 'ID of the group.', READ_ONLY),
    new Attribute('reference', '$ref', { description: 'URL of the group.', referenceTypes: ['Group'], ...READ_ONLY }),
    text('display', 'Name of the group.', READ_ONLY),
    text('type', 'Always direct.', READ_ONLY),
  ]),
]);

export const enterpriseDefinition = new SchemaDefinition(
  'EnterpriseUser',
  ENTERPRISE,
  'Data about a user in an enterprise.',
  [
    text('employeeNumber', 'Number of the employee.'),
    text('costCenter', 'Cost center.'),
    text('organization', 'Organization.'),
    text('division', 'Division.'),
    text('department', 'Department.'),
    new Attribute('complex', 'manager', { description: 'Manager of the user.' }, [
      text('value', 'ID of the manager.'),
      text('$ref', 'URL of the manager, as the identity provider writes it.'),
      text('displayName', 'Name of the manager.'),
    ]),
  ],
);

userDefinition.extend(enterpriseDefinition);

export const groupDefinition = new SchemaDefinition('Group', GROUP, 'Team of the organization.', [
  text('displayName', 'Name of the team, 1 to 64 characters, unique among the groups in any case.', {
    required: true,
    uniqueness: 'server',
  }),
  new Attribute('complex', 'members', { multiValued: true, description: 'Members of the team.' }, [
    text('value', 'ID of the user.', { mutable: 'immutable' }),
    new Attribute('reference', '$ref', {
      description: 'URL of the user.',
      referenceTypes: ['User'],
      mutable: 'immutable',
    }),
    text('display', 'Name of the user.', { mutable: 'immutable' }),
    text('type', 'Always User.', { mutable: 'immutable' }),
  ]),
]);

/**
 * Attributes of the core schema that are not kept. They are accepted, since identity providers send them by default.
 */
const NOT_KEPT = new Set(
  [
    ...['profileUrl', 'phoneNumbers', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509Certificates'],
    'password',
  ].map((name) => name.toLowerCase()),
);

/** The attribute that a path of one name leads to. */
export interface KnownAttribute {
  /** Null for those of the core schema. */
  extension: typeof ENTERPRISE | null;
  attribute: AttributeDefinition;
}

const indexOf = (definition: Definition, extension: KnownAttribute['extension']) =>
  definition.attributes.flatMap((attribute): [string, KnownAttribute][] =>
    attribute instanceof Attribute ? [[attribute.name.toLowerCase(), { extension, attribute }]] : [],
  );

const CORE = new Map(indexOf(userDefinition, null));
const EXTENDED = new Map(indexOf(enterpriseDefinition, ENTERPRISE));

const ENTERPRISE_PREFIX = `${ENTERPRISE.toLowerCase()}:`;
const USER_PREFIX = `${USER.toLowerCase()}:`;

/** Whether a name is that of the extension as a whole. */
export const isExtension = (name: string): boolean => name.toLowerCase() === ENTERPRISE.toLowerCase();

/**
 * The attribute of a name, in any case and with or without its schema. Null if it is not kept, undefined if there is
 * none. Names reach the library only as its own: it would take some of a client's for paths to prototypes.
 */
export function attributeOf(name: string): KnownAttribute | null | undefined {
  const lower = name.toLowerCase();
  if (lower.startsWith(ENTERPRISE_PREFIX)) return EXTENDED.get(lower.slice(ENTERPRISE_PREFIX.length));
  const bare = lower.startsWith(USER_PREFIX) ? lower.slice(USER_PREFIX.length) : lower;
  if (NOT_KEPT.has(bare)) return null;
  return CORE.get(bare);
}

export const attributesOfExtension: ReadonlyMap<string, KnownAttribute> = EXTENDED;

export const subAttributeOf = ({ subAttributes = [] }: AttributeDefinition, name: string) =>
  subAttributes.find((each) => each.name.toLowerCase() === name.toLowerCase());

export const isMultiValued = ({ config }: AttributeDefinition): boolean => config.multiValued === true;
export const isComplex = ({ type }: AttributeDefinition): boolean => type === 'complex';
export const isReadOnly = ({ name, config }: AttributeDefinition): boolean =>
  config.mutable === false || name === 'id' || name === 'meta';

const MAX_TEXT = 1_024;

/** A user whose attributes have the types of the schema. Throws `invalidValue`. */
export function checkUser(document: Record<string, unknown>): UserData {
  let checked: unknown;
  try {
    checked = userDefinition.coerce(document, 'in');
  } catch (error) {
    if (error instanceof TypeError) throw new ScimError('invalidValue', `${error.message}.`);
    throw error;
  }
  const { schemas: _schemas, meta: _meta, ...data } = JSON.parse(JSON.stringify(checked)); // without accessors of the library
  return data;
}

/** Throws `invalidValue` if a text is too long, or has characters that cannot be stored or shown. */
export function checkText(name: string, value: string): void {
  if (value.length > MAX_TEXT)
    throw new ScimError('invalidValue', `${name}: must be at most ${MAX_TEXT} characters long.`);
  if (!value.isWellFormed() || /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(value.replaceAll(/[\t\n\r]/g, ' ')))
    throw new ScimError('invalidValue', `${name}: contains a character that is not allowed.`);
}
