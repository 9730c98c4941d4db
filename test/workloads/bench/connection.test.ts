import { expect, test } from 'bun:test';
import { Connection, postText } from '../../../workloads/bench/connection.ts';

const REQUEST = postText('/', {});

/** The status of a request, or the reason why there is none. */
function outcome(connection: Connection): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>();
  connection.send(REQUEST, false, resolve, ({ message }) => resolve(message));
  return promise;
}

test('every request on a closed connection fails with that reason', async () => {
  using server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.end() },
  });
  const connection = await Connection.open(`http://127.0.0.1:${server.port}`);
  expect(await outcome(connection)).toBe('the connection was closed');
  expect(await outcome(connection)).toBe('the connection was closed');
});
