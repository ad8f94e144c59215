/** One event of a stream (HTML, "Server-sent events"). */
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
  const event: StreamEvent = { type: 'message', data: '', id: undefined };
  let isComment = true;
  for (const line of frame.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    isComment = false;
    const value = line.slice(colon + 1).trimStart();
    if (line.startsWith('event')) event.type = value;
    else if (line.startsWith('data')) event.data += value;
    else if (line.startsWith('id')) event.id = value;
  }
  return isComment ? undefined : event;
}
