/** A signed response in parts, to put together in other ways. */
interface Parts {
  /** The start tag of the response with all before the assertion, and its end tag. */
  before: string;
  after: string;
  /** The signed assertion, its signature, and a copy without signature that names somebody else. */
  assertion: string;
  signature: string;
  evil: string;
}

export const VICTIM = 'admin@acme.example';

function partsOf(response: string): Parts {
  const [assertion = ''] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(response) ?? [];
  const [signature = ''] = /<Signature .*<\/Signature>/s.exec(assertion) ?? [];
  const [before = '', after = ''] = response.split(assertion);
  const evil = assertion
    .replace(signature, '')
    .replace(/ ID="[^"]+"/, ' ID="_evil"')
    .replaceAll('mallory@acme.example', VICTIM);
  return { before, after, assertion, signature, evil };
}

const into = (assertion: string, part: string) => assertion.replace('</saml:Assertion>', `${part}</saml:Assertion>`);
const signedBy = (assertion: string, signature: string) =>
  assertion.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);

/**
 * Signature wrapping as in "On Breaking SAML: Be Whoever You Want to Be" (USENIX Security 2012), with the numbers that
 * SAML Raider gives the variants. 1 and 2 wrap a signed response, the others a signed assertion.
 */
export const WRAPPINGS: Record<string, (response: string) => string> = {
  XSW1: (response) => {
    const [signature = ''] = /<Signature .*?<\/Signature>/s.exec(response) ?? [];
    const original = response.replace(signature, '');
    const evil = response.replace(/ ID="[^"]+"/, ' ID="_evil"').replaceAll('mallory@acme.example', VICTIM);
    return evil.replace(signature, signature.replace('</Signature>', `${original}</Signature>`));
  },
  XSW2: (response) => {
    const [signature = ''] = /<Signature .*?<\/Signature>/s.exec(response) ?? [];
    const original = response.replace(signature, '');
    const evil = response.replace(/ ID="[^"]+"/, ' ID="_evil"').replaceAll('mallory@acme.example', VICTIM);
    return evil.replace(signature, `${original}${signature}`);
  },
  XSW3: (response) => {
    const { before, evil, assertion, after } = partsOf(response);
    return before + evil + assertion + after;
  },
  XSW4: (response) => {
    const { before, evil, assertion, after } = partsOf(response);
    return before + into(evil, assertion) + after;
  },
  XSW5: (response) => {
    const { before, evil, assertion, signature, after } = partsOf(response);
    return before + signedBy(evil, signature) + assertion.replace(signature, '') + after;
  },
  XSW6: (response) => {
    const { before, evil, assertion, signature, after } = partsOf(response);
    const wrapped = signature.replace('</Signature>', `${assertion.replace(signature, '')}</Signature>`);
    return before + signedBy(evil, wrapped) + after;
  },
  XSW7: (response) => {
    const { before, evil, assertion, after } = partsOf(response);
    return `${before}<samlp:Extensions>${evil}</samlp:Extensions>${assertion}${after}`;
  },
  XSW8: (response) => {
    const { before, evil, assertion, signature, after } = partsOf(response);
    const object = `<Object>${assertion.replace(signature, '')}</Object>`;
    return before + signedBy(evil, signature.replace('</Signature>', `${object}</Signature>`)) + after;
  },
};

const MALLORY = 'mallory@acme.example';

/** What else was done to responses in the field, each with a word of the reason that refuses it. */
export const DISTORTIONS: Record<string, [distort: (response: string) => string, reason: RegExp]> = {
  'a comment in the NameID': [
    (response) => response.replace(`>${MALLORY}<`, `>${VICTIM}<!---->.${MALLORY}<`),
    /contains a comment/,
  ],
  'a processing instruction in the NameID': [
    (response) => response.replace(`>${MALLORY}<`, `>${VICTIM}<?x y?>.${MALLORY}<`),
    /processing instruction/,
  ],
  'a CDATA section in the NameID': [(response) => response.replace(`>${MALLORY}<`, `><![CDATA[${VICTIM}]]><`), /CDATA/],
  'a document type declaration': [
    (response) => `<!DOCTYPE r [<!ENTITY who "${VICTIM}">]>${response.replace(`>${MALLORY}<`, '>&who;<')}`,
    /document type declaration/,
  ],
  'an entity': [(response) => response.replace(`>${MALLORY}<`, '>&who;<'), /not well-formed/],
  'a second assertion of another namespace': [
    (response) => {
      const { before, evil, assertion, after } = partsOf(response);
      return `${before}<Assertion xmlns="urn:other">${evil}</Assertion>${assertion}${after}`;
    },
    /unknown namespace/,
  ],
  'a second assertion of a namespace with the name of a method': [
    (response) => {
      const { before, evil, assertion, after } = partsOf(response);
      return `${before}<Assertion xmlns="constructor">${evil}</Assertion>${assertion}${after}`;
    },
    /unknown namespace/,
  ],
  'the prefix of assertions bound to another namespace': [
    (response) => response.replaceAll('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:oasis:names:tc:SAML:2.0:asserti0n'),
    /unknown namespace/,
  ],
  'an attribute ID twice': [
    (response) => response.replace('<saml:Assertion ', '<saml:Assertion ID="_evil" '),
    /could not be verified|not well-formed|refer/,
  ],
  'an ID of another namespace': [
    (response) =>
      response.replace(
        '<saml:Assertion ',
        '<saml:Assertion xmlns:x="urn:oasis:names:tc:SAML:2.0:assertion" x:ID="_evil" ',
      ),
    /several IDs/,
  ],
  'an ID in other letters': [
    (response) => response.replace('<saml:Assertion ', '<saml:Assertion Id="_evil" '),
    /several IDs/,
  ],
  'two elements with one ID': [
    (response) => {
      const id = / ID="([^"]+)"/.exec(partsOf(response).assertion)?.[1] ?? '';
      return response.replace('<samlp:Status>', `<samlp:Status ID="${id}">`);
    },
    /same ID/,
  ],
  'an attribute of the person twice': [
    (response) =>
      response.replace(
        '</saml:AttributeStatement>',
        `<saml:Attribute Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress"><saml:AttributeValue>${VICTIM}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`,
      ),
    /occurs twice/,
  ],
  'a void canonicalization: a reference to the whole document': [
    (response) => response.replace(/<Reference URI="[^"]*"/, '<Reference URI=""'),
    /does not refer/,
  ],
  'a void canonicalization: a relative namespace': [
    (response) =>
      response.replace('<saml:Assertion ', '<saml:Assertion xmlns:x="1" ').replaceAll(`>${MALLORY}<`, `>${VICTIM}<`),
    /could not be verified/,
  ],
  'another canonicalization': [
    (response) =>
      response.replace(
        /<CanonicalizationMethod Algorithm="[^"]+"/,
        '<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments"',
      ),
    /algorithm of ds:CanonicalizationMethod/,
  ],
  'an HMAC with the certificate as its key': [
    (response) =>
      response.replace(
        /<SignatureMethod Algorithm="[^"]+"/,
        '<SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#hmac-sha1"',
      ),
    /algorithm of ds:SignatureMethod/,
  ],
  'a transform that selects nothing': [
    (response) =>
      response.replace(
        '<Transforms>',
        '<Transforms><Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><XPath>/none</XPath></Transform>',
      ),
    /algorithm of ds:Transform/,
  ],
  'another person': [(response) => response.replaceAll(MALLORY, VICTIM), /could not be verified/],
  'no signature': [(response) => response.replace(partsOf(response).signature, ''), /no .*ds:Signature/],
  'an encrypted assertion': [
    (response) => {
      const { before, after } = partsOf(response);
      return `${before}<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>${after}`;
    },
    /EncryptedAssertion/,
  ],
  'elements that are nested too deep': [
    (response) =>
      response.replace(
        '</samlp:Status>',
        `${'<samlp:Status>'.repeat(100)}${'</samlp:Status>'.repeat(100)}</samlp:Status>`,
      ),
    /nested too deep/,
  ],
  'too many elements': [
    (response) => response.replace('</samlp:Status>', `${'<samlp:StatusDetail/>'.repeat(3_000)}</samlp:Status>`),
    /too many elements/,
  ],
  'broken XML': [(response) => response.slice(0, -5), /not well-formed/],
};
