/** One event of a stream (HTML, "Server-sent events"). The service sends each as one line of data. */
export interface StreamEvent {
  type: string;
  data: string;
  id: string | undefined;
}

/** Reads the events of a response as they arrive. Comments, which keep the connection open, are left out. */
export async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const frames = (rest + value).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const event = eventIn(frame);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function eventIn(frame: string): StreamEvent | undefined {
  const fields = [...frame.matchAll(/^(event|data|id): ?(.*)$/gm)];
  if (fields.length === 0) return undefined;
  const fieldOf = (name: string) => fields.findLast(([, field]) => field === name)?.[2];
  return { type: fieldOf('event') ?? 'message', data: fieldOf('data') ?? '', id: fieldOf('id') };
}
