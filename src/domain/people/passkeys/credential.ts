import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/);

const credential = z.object({
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
});

/** What browsers answer when a passkey was made (WebAuthn, RegistrationResponseJSON). Other members are left out. */
export const registrationResponse = credential.extend({
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(12_000),
    transports: z
      .array(z.string().regex(/^[a-z0-9-]{1,50}$/))
      .max(10)
      .optional(),
  }),
});

/** What browsers answer when a passkey has signed (WebAuthn, AuthenticationResponseJSON). */
export const authenticationResponse = credential.extend({
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(2_000),
    userHandle: base64url(100).nullish(),
  }),
});

/** Reads a response of a browser. BAD_USER_INPUT, without details, for anything else. */
export function readResponse<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const read = shape.safeParse(input);
  if (read.success) return read.data;
  throw badInput(['credential'], 'must be the JSON of a credential, as `PublicKeyCredential.toJSON` returns it.');
}
