/** A request whose body its client sends in parts. */
export interface Sending {
  answer: Promise<Response>;
  /** Resolves when the service has read the part. */
  send(text: string): Promise<void>;
  end(): void;
}

/**
 * Sends the head of a POST request to an app of this process.
 * @param declared length of the body; undefined: the length is not declared
 */
export function beginBody(
  app: { handle(request: Request): Response | Promise<Response> },
  path: string,
  declared: number | undefined,
  headers: Record<string, string>,
): Sending {
  const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sent = new Headers(headers);
  if (declared !== undefined) sent.set('content-length', String(declared));
  const request = new Request(`http://localhost${path}`, { method: 'POST', body, headers: sent });
  const answer = Promise.resolve(app.handle(request));
  const sender = writable.getWriter();
  return {
    answer,
    send: (text) => sender.write(new TextEncoder().encode(text)),
    end: () => void sender.close().catch(() => {}),
  };
}
