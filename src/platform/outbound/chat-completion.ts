import { z } from 'zod';
import type { JsonRequest } from './post-json.ts';

export interface ChatModel {
  /** URL of an API that is compatible with OpenAI, without `/chat/completions`. */
  url: string;
  model: string;
  apiKey: string | null;
  /** Maximum length of the response. Default: that of the model. */
  maxTokens?: number;
}

export interface ChatPrompt {
  /** What to do, and the form of the response, which is a JSON object. */
  system: string;
  /** The data, which is sent as JSON. */
  data: unknown;
}

/**
 * A request to a chat model for a JSON object, as deterministic as the model permits:
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export function chatRequest(
  { url, model, apiKey, maxTokens }: ChatModel,
  { system, data }: ChatPrompt,
): Omit<JsonRequest, 'maxBytes'> & { headers: Record<string, string> } {
  return {
    url: `${url.replace(/\/$/, '')}/chat/completions`,
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    body: {
      model,
      temperature: 0,
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: JSON.stringify(data) },
      ],
    },
  };
}

/** The response of a chat model. The content is null if the model refuses. */
export const chatCompletion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
});

/** The JSON object in the response of a model, which some models put into a fence. Undefined if there is none. */
export function objectInResponse({ choices }: z.output<typeof chatCompletion>): unknown {
  const content = choices[0]?.message.content ?? '';
  const [start, end] = [content.indexOf('{'), content.lastIndexOf('}')];
  try {
    return JSON.parse(content.slice(start, end + 1));
  } catch {
    return undefined;
  }
}
