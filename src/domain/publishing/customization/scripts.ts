import { z } from 'zod';

const script = z.object({
  script: z.string().describe('URL of the script.'),
  contentSecurityPolicy: z.string().optional().describe('Content Security Policy that the script needs.'),
  cookies: z.boolean().describe('Whether the script sets cookies.'),
});

export const scriptsShape = z.array(script);

/** Scripts that integrations add to the pages of a site. There are no integrations yet, so there is nothing to read. */
export const scriptsOf = (): z.infer<typeof scriptsShape> => [];
