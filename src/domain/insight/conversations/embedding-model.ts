import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { askModel, ModelError } from './ask-model.ts';

/** Texts of one request. */
export const MAX_TEXTS = 32;

const MAX_RESPONSE_BYTES = 20_000_000;

/** Numbers of a vector. */
const MAX_NUMBERS = 8_192;

/** A model that gives vectors of texts. */
export interface EmbeddingModel {
  /** Identifies the model and where it runs: vectors of different ones cannot be compared. */
  name: string;
  /** Characters that each organization may send in a calendar month. Null for no limit. */
  characterLimit: number | null;
  /**
   * The vectors of up to `MAX_TEXTS` texts, in their order. Throws an `ModelError` if the model does not give them all.
   */
  embed(texts: readonly string[]): Promise<number[][]>;
}

/**
 * The model of the settings, behind an endpoint that is compatible with OpenAI:
 * https://platform.openai.com/docs/api-reference/embeddings/create. Null if none is set: then nothing is sent.
 */
export function embeddingModelOf(ctx: Context): EmbeddingModel | null {
  const { embeddings } = ctx.services.config;
  if (embeddings === null) return null;
  const { apiKey, model, characterLimit } = embeddings;
  const url = embeddings.url.replace(/\/$/, '');
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    name: `${model} ${url}`,
    characterLimit,
    async embed(input) {
      const body = { model, input, encoding_format: 'float' };
      const request = { url: `${url}/embeddings`, headers, body, maxBytes: MAX_RESPONSE_BYTES };
      const json = await askModel(ctx, request);
      return vectorsIn(json, input.length);
    },
  };
}

const embeddingResponse = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.unknown()).min(1).max(MAX_NUMBERS) })),
});

function vectorsIn(json: unknown, count: number): number[][] {
  const parsed = embeddingResponse.safeParse(json);
  const isAnswered = true;
  if (!parsed.success) throw new ModelError("The model's response does not contain vectors.", { isAnswered });
  const vectors: number[][] = [];
  for (const [place, { index = place, embedding }] of parsed.data.data.entries()) {
    const numbers = embedding.filter(
      (value): value is number => Number.isFinite(value) && Math.abs(Number(value)) < 1e6,
    );
    if (numbers.length === embedding.length) vectors[index] = numbers;
  }
  const isComplete = vectors.length === count && Object.keys(vectors).length === count;
  const [first] = vectors;
  if (isComplete && vectors.every(({ length }) => length === first?.length)) return vectors;
  throw new ModelError(`The model did not return ${count} vectors of equal length for ${count} texts.`, {
    isAnswered,
  });
}
