import sax from 'sax';
import { SignInError } from './sign-in-error.ts';

/** Unverified data of the response: only enough to find the request that it answers. */
export interface InspectedResponse {
  inResponseTo: string | undefined;
  destination: string | undefined;
}

/** Bounds of a response. Those of identity providers have some hundred elements, nested about eight deep. */
const MAX_CHARACTERS = 100_000;
const MAX_ELEMENTS = 1_000;
const MAX_DEPTH = 24;
const MAX_ATTRIBUTES = 24;
const MAX_NAMESPACES = 200;

const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['urn:oasis:names:tc:SAML:2.0:protocol', 'samlp'],
  ['urn:oasis:names:tc:SAML:2.0:assertion', 'saml'],
  ['http://www.w3.org/2000/09/xmldsig#', 'ds'],
  ['http://www.w3.org/2001/10/xml-exc-c14n#', 'ec'],
]);

const RESPONSE = 'samlp:Response';
const STATUS = `${RESPONSE}/samlp:Status/samlp:StatusCode`;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const ASSERTION = `${RESPONSE}/saml:Assertion`;
const SUBJECT = `${ASSERTION}/saml:Subject`;

/** Required number of occurrences of an element, by its path. */
const COUNTS: Record<string, { min: number; max: number }> = {
  [`${RESPONSE}/samlp:Status`]: { min: 1, max: 1 },
  [STATUS]: { min: 1, max: 1 },
  [`${RESPONSE}/ds:Signature`]: { min: 0, max: 1 },
  [ASSERTION]: { min: 1, max: 1 },
  [`${ASSERTION}/saml:Issuer`]: { min: 1, max: 1 },
  [`${ASSERTION}/ds:Signature`]: { min: 1, max: 1 },
  [SUBJECT]: { min: 1, max: 1 },
  [`${SUBJECT}/saml:NameID`]: { min: 1, max: 1 },
  [`${ASSERTION}/saml:Conditions`]: { min: 1, max: 1 },
  ...Object.fromEntries(
    [RESPONSE, ASSERTION].flatMap((signed) => [
      [`${signed}/ds:Signature/ds:SignedInfo`, { min: 0, max: 1 }],
      [`${signed}/ds:Signature/ds:SignatureValue`, { min: 0, max: 1 }],
      [`${signed}/ds:Signature/ds:SignedInfo/ds:Reference`, { min: 0, max: 1 }],
    ]),
  ),
};

/** Elements that occur at these paths only. Copies of them elsewhere are what wrapped signatures are made of. */
const PLACES: Record<string, readonly string[]> = {
  'samlp:Response': [RESPONSE],
  'saml:Assertion': [ASSERTION],
  'saml:EncryptedAssertion': [],
  'saml:EncryptedID': [],
  'saml:EncryptedAttribute': [],
  'saml:Subject': [SUBJECT],
  'saml:Conditions': [`${ASSERTION}/saml:Conditions`],
  'saml:AttributeStatement': [`${ASSERTION}/saml:AttributeStatement`],
  'ds:Signature': [`${RESPONSE}/ds:Signature`, `${ASSERTION}/ds:Signature`],
  'ds:SignedInfo': [RESPONSE, ASSERTION].map((signed) => `${signed}/ds:Signature/ds:SignedInfo`),
  'ds:Reference': [RESPONSE, ASSERTION].map((signed) => `${signed}/ds:Signature/ds:SignedInfo/ds:Reference`),
  'ds:Object': [],
  'ds:Manifest': [],
};

const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Algorithms by the element that names them. SHA-1, HMAC and inclusive canonicalization are not among them. */
const ALGORITHMS: Record<string, readonly string[]> = {
  'ds:CanonicalizationMethod': [EXCLUSIVE_C14N],
  'ds:Transform': ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE_C14N],
  'ds:SignatureMethod': ['256', '384', '512'].map((size) => `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${size}`),
  'ds:DigestMethod': [
    'http://www.w3.org/2001/04/xmlenc#sha256',
    'http://www.w3.org/2001/04/xmldsig-more#sha384',
    'http://www.w3.org/2001/04/xmlenc#sha512',
  ],
};

/** Attributes that signatures refer to by. */
const isIdName = (local: string) => local.toLowerCase() === 'id';
const ID = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/;

/**
 * Reads a response with a strict parser and refuses it unless it has the one form that identity providers send: a
 * response with one assertion, whose signature covers it by its ID. Verification comes later; it finds elements by
 * other means than this parser, and must have no choice. Linear in the length of the text, which is bounded.
 */
export function inspectResponse(xml: string): InspectedResponse {
  if (xml.length > MAX_CHARACTERS) throw new SignInError('The response is too long.');
  if (/[^\P{Cc}\t\n\r]/u.test(xml)) throw new SignInError('The response contains control characters.');
  rejectMarkup(xml);
  const inspector = new Inspector();
  const parser = sax.parser(true, { xmlns: true, strictEntities: true } as sax.SAXOptions); // its types lack an option
  parser.onerror = () => {
    throw new SignInError('The response is not well-formed XML.');
  };
  parser.onopentag = (tag) => inspector.open(tag as sax.QualifiedTag); // with `xmlns`
  parser.onclosetag = () => inspector.close();
  parser.write(xml).close();
  return inspector.end();
}

/** Markup that splits texts, and that parsers and canonicalization treat in different ways. */
const MARKUP: [start: string, name: string][] = [
  ['<!--', 'a comment'],
  ['<![', 'a CDATA section'],
  ['<!', 'a document type declaration'],
  ['<?', 'a processing instruction'],
];

/**
 * Refuses comments, CDATA sections, document types and processing instructions other than an XML declaration. In
 * well-formed XML without them, `<` only starts tags (XML 1.0, 2.4), so that no more than the text is needed to find
 * them.
 */
function rejectMarkup(xml: string): void {
  const text = xml.replace(/^<\?xml [^<>]*\?>/, '');
  const markup = MARKUP.find(([start]) => text.includes(start));
  if (markup) throw new SignInError(`The response contains ${markup[1]}.`);
}

class Inspector {
  readonly #path: { name: string; id: string | undefined }[] = [];
  readonly #counts = new Map<string, number>();
  readonly #ids = new Set<string>();
  readonly #attributeNames = new Set<string>();
  #elements = 0;
  #namespaces = 0;
  #response: InspectedResponse = { inResponseTo: undefined, destination: undefined };

  open(tag: sax.QualifiedTag): void {
    const name = `${NAMESPACES.get(tag.uri) ?? refuseNamespace(tag)}:${tag.local}`;
    const attributes = Object.values(tag.attributes);
    this.#count(attributes);
    const id = this.#idOf(attributes);
    this.#path.push({ name, id });
    if (this.#path.length > MAX_DEPTH) throw new SignInError('The response is nested too deep.');
    const path = this.#path.map((element) => element.name).join('/');
    const places = PLACES[name];
    if (places && !places.includes(path)) throw new SignInError(`The response contains ${name} at ${path}.`);
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    const attribute = (local: string) => tag.attributes[local]?.value;
    if (path === RESPONSE) {
      this.#response = { inResponseTo: attribute('InResponseTo'), destination: attribute('Destination') };
    }
    if (path === STATUS) checkStatus(attribute('Value'));
    if (name === 'ds:Reference') this.#checkReference(attribute('URI'));
    if (name === 'saml:Attribute') this.#checkAttribute(attribute('Name'));
    const algorithms = ALGORITHMS[name];
    if (algorithms && !algorithms.includes(attribute('Algorithm') ?? '')) {
      throw new SignInError(`The algorithm of ${name} is not accepted.`);
    }
  }

  close(): void {
    this.#path.pop();
  }

  end(): InspectedResponse {
    for (const [path, { min, max }] of Object.entries(COUNTS)) {
      const count = this.#counts.get(path) ?? 0;
      if (count < min) throw new SignInError(`The response has no ${path}.`);
      if (count > max) throw new SignInError(`The response has ${path} more than once.`);
    }
    return this.#response;
  }

  #count(attributes: sax.QualifiedAttribute[]): void {
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) throw new SignInError('The response has too many elements.');
    if (attributes.length > MAX_ATTRIBUTES) throw new SignInError('An element has too many attributes.');
    this.#namespaces += attributes.filter(({ prefix, name }) => prefix === 'xmlns' || name === 'xmlns').length;
    if (this.#namespaces > MAX_NAMESPACES) throw new SignInError('The response declares too many namespaces.');
  }

  /** The ID of an element. IDs are unique, and no attribute of another namespace looks like one. */
  #idOf(attributes: sax.QualifiedAttribute[]): string | undefined {
    const ids = attributes.filter(({ local, prefix }) => isIdName(local) && prefix !== 'xmlns');
    if (ids.length === 0) return undefined;
    const [id] = ids;
    if (ids.length > 1 || id?.prefix !== '') throw new SignInError('An element has several IDs.');
    if (!ID.test(id.value)) throw new SignInError('An ID is not valid.');
    if (this.#ids.has(id.value)) throw new SignInError('Two elements have the same ID.');
    this.#ids.add(id.value);
    return id.value;
  }

  /** A signature covers the element that contains it, and names it. */
  #checkReference(uri: string | undefined): void {
    const signed = this.#path.at(-4);
    if (signed?.id === undefined || uri !== `#${signed.id}`) {
      throw new SignInError('A signature does not refer to the element that contains it.');
    }
  }

  #checkAttribute(name: string | undefined): void {
    if (name === undefined || this.#attributeNames.has(name)) throw new SignInError('An attribute occurs twice.');
    this.#attributeNames.add(name);
  }
}

/** Refuses responses that report a failure, whatever else they contain (SAML 2.0 Core, 3.2.2.2). */
function checkStatus(status = 'none'): void {
  if (status !== SUCCESS)
    throw new SignInError(`The identity provider reports another status than success: ${status.slice(0, 200)}.`);
}

function refuseNamespace({ local }: sax.QualifiedTag): never {
  throw new SignInError(`The element ${local.slice(0, 100)} is of an unknown namespace.`);
}
