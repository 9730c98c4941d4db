import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface SentAsIs {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: unknown;
}

/**
 * Sends a request whose path and `Host` are not changed on their way, as `curl --path-as-is` does: `fetch` resolves `..`
 * and backslashes. Certificates are not checked.
 */
export function sendAsIs(
  address: string,
  path: string,
  { method = 'GET', headers = {}, body }: SentAsIs = {},
): Promise<{ status: number; text: string }> {
  const { protocol, hostname, port } = new URL(address);
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const content = body === undefined ? headers : { 'content-type': 'application/json', ...headers };
  const options = { hostname, port, path, method, headers: content, rejectUnauthorized: false };
  const sent = send(options, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
  });
  sent.on('error', reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
