import { z } from 'zod';
import type { SsoSubject } from './entity.ts';
import { SignInError } from './sign-in-error.ts';

/** Data that this service reads from an assertion: identity and name of the person. */
export type Assertion = SsoSubject;

/** Requirements for an assertion. */
export interface Expected {
  /** Entity ID of the identity provider. */
  issuer: string;
  /** URL of the assertion consumer service. */
  recipient: string;
  /** ID of the AuthnRequest. */
  inResponseTo: string;
  /** Time in milliseconds from which on the assertion must still be valid. */
  validAfter: number;
}

const text = z.object({ _: z.string() });
const nameId = text.extend({ $: z.object({ Format: z.string().optional() }).optional() });

/** An assertion as node-saml gives it: children are lists, `$` has the attributes and `_` the text. */
const parsed = z.object({
  Assertion: z.object({
    Issuer: z.tuple([text]),
    Subject: z.tuple([
      z.object({
        NameID: z.tuple([nameId]),
        SubjectConfirmation: z.array(
          z.object({
            $: z.object({ Method: z.string() }),
            SubjectConfirmationData: z
              .tuple([
                z.object({
                  $: z.object({
                    Recipient: z.string(),
                    InResponseTo: z.string(),
                    NotOnOrAfter: z.string(),
                  }),
                }),
              ])
              .optional()
              .catch(undefined),
          }),
        ),
      }),
    ]),
    AuthnStatement: z.array(z.unknown()).min(1),
    AttributeStatement: z
      .array(
        z.object({
          Attribute: z
            .array(
              z.object({
                $: z.object({ Name: z.string() }),
                AttributeValue: z.array(z.union([text, z.unknown()])).optional(),
              }),
            )
            .optional(),
        }),
      )
      .optional(),
  }),
});

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/**
 * Reads the assertion of bytes whose signature, audience and conditions were verified. Checks what remains of the Web
 * Browser SSO Profile (SAML 2.0 Profiles, 4.1.4.3): the issuer, and a bearer confirmation for this recipient and
 * request.
 */
export function readAssertion(verified: unknown, expected: Expected): Assertion {
  const result = parsed.safeParse(verified);
  if (!result.success) throw new SignInError('The assertion lacks an element that is required for sign-in.');
  const { Issuer, Subject, AttributeStatement = [] } = result.data.Assertion;
  if (Issuer[0]._.trim() !== expected.issuer) throw new SignInError('The assertion comes from another issuer.');
  const isConfirmed = Subject[0].SubjectConfirmation.some(({ $: { Method }, SubjectConfirmationData: data }) => {
    if (Method !== BEARER || !data) return false;
    const { Recipient, InResponseTo, NotOnOrAfter } = data[0].$;
    const isValid = Date.parse(NotOnOrAfter) > expected.validAfter;
    return isValid && Recipient === expected.recipient && InResponseTo === expected.inResponseTo;
  });
  if (!isConfirmed) throw new SignInError('The assertion is not meant for this sign-in, or has expired.');
  const attributes = new Map(
    AttributeStatement.flatMap(({ Attribute = [] }) => Attribute).map(({ $: { Name }, AttributeValue = [] }) => [
      Name,
      singleText(AttributeValue),
    ]),
  );
  const [{ _: value, $: { Format: format } = {} }] = Subject[0].NameID;
  const person = personOf(value.trim(), attributes);
  return { issuer: expected.issuer, ...subjectOf(value.trim(), format, person.email), ...person };
}

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
/** The longest text that a persistent NameID can have is 256 characters (SAML 2.0 Core, 8.3.7). */
const MAX_NAME_ID = 1_024;

/**
 * A transient NameID is another one with each sign-in (SAML 2.0 Core, 8.3.8), so that the address names the person
 * instead.
 */
function subjectOf(value: string, format: string | undefined, email: string): Pick<SsoSubject, 'kind' | 'subject'> {
  if (format === TRANSIENT) return { kind: 'email', subject: email.toLowerCase() };
  if (value === '' || value.length > MAX_NAME_ID)
    throw new SignInError('The NameID of the assertion is empty or too long.');
  return { kind: 'name-id', subject: value };
}

/** The text of an attribute with one value. */
function singleText(values: unknown[]): string | undefined {
  const single = values.length === 1 ? text.safeParse(values[0]) : undefined;
  return single?.data?._.trim();
}

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
/** Names of attributes that identity providers use, the usual ones first. */
const EMAILS = ['email', 'mail', 'emailAddress', `${CLAIMS}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3'];
const NAMES = ['displayName', 'name', `${CLAIMS}/name`, 'urn:oid:2.16.840.1.113730.3.1.241', 'cn', 'urn:oid:2.5.4.3'];

const emailAddress = z.email().max(254);

function personOf(
  value: string,
  attributes: ReadonlyMap<string, string | undefined>,
): Pick<SsoSubject, 'email' | 'displayName'> {
  const candidates = [...EMAILS.map((name) => attributes.get(name)), value];
  const email = candidates.find((candidate) => emailAddress.safeParse(candidate).success);
  if (email === undefined) {
    throw new SignInError(
      'The assertion does not contain an email address, neither as the attribute "email" nor as its NameID. Configure the identity provider to send it.',
    );
  }
  return { email, displayName: NAMES.map((name) => attributes.get(name)).find((name) => name) };
}
