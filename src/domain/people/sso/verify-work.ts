// Loaded with the worker, so that a failure to load it is not taken for one of a response.
import '@node-saml/node-saml';
import { type ServiceSettings, serviceProvider } from './service-provider.ts';

/** A response to verify. */
export interface Verification extends ServiceSettings {
  publicUrl: string;
  xml: string;
}

/** The verified assertion as node-saml returns it, or the reason for the failure. */
export type Verified = { assertion: unknown } | { failure: string };

/**
 * Runs in a worker: parsing and canonicalization take some twenty milliseconds, and for the largest responses hundreds.
 * Verifies the signature, audience and times, and returns what the signature covers.
 */
export async function work({ publicUrl, xml, ...settings }: Verification): Promise<Verified> {
  // The text that was inspected, whatever the encoding of the form was.
  const SAMLResponse = Buffer.from(xml).toString('base64');
  try {
    const saml = await serviceProvider(publicUrl, settings);
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    return { assertion: profile?.getAssertion?.() };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : 'unknown' };
  }
}
