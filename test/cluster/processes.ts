import { API_KEY, type ServiceProcess } from '../simulation/support/service-process.ts';
import { until } from './support.ts';

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

/** A request to a process. Undefined if it does not answer within a second, or at all. */
export async function call(
  service: Pick<ServiceProcess, 'address'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer | undefined> {
  try {
    const answer = await fetch(service.address + path, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return undefined;
  }
}

/** The role of a process. Undefined if it does not answer or is not ready. */
export const roleOf = async (service: ServiceProcess) => (await call(service, 'GET', '/readyz'))?.body.role;

/** The ids of a popular page, as soon as the process serves one. */
export async function pageOf(
  service: ServiceProcess,
  request: Record<string, unknown> = {},
): Promise<string[]> {
  const body = { top_k: 1000, ...request };
  const answer = await until(
    () => call(service, 'POST', '/v2/farcaster/feeds/popular', body),
    (answered) => answered?.status === 200,
  );
  return answer?.body.body.map(({ item_id }: { item_id: string }) => item_id);
}
