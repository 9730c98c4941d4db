/** A connector whose source is a list that the test fills. */
import {
  type ConnectorHost,
  type ConnectorRecord,
  defineIntegration,
  definePlugin,
  Type,
} from 'feedloom/plugin';

interface Control {
  /** Runs instead of reading a source. Each call is one run of the connector. */
  run(host: ConnectorHost, options: { room: string; sizes: number[]; fast: boolean }): Promise<void>;
}

declare global {
  var feeding: Control;
}

export const item = (item_id: string, created_at: number): ConnectorRecord => ({
  kind: 'item',
  record: { item_id, author_id: 'ann', created_at, text: `post ${item_id}` },
});

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  integrations: {
    'acme/feeding_v1.0.0': defineIntegration({
      summary: 'A list that a test fills.',
      options: Type.Object(
        {
          room: Type.String({ default: 'hall', maxLength: 5 }),
          sizes: Type.Array(Type.Integer(), { default: [] }),
          fast: Type.Boolean({ default: false }),
        },
        { additionalProperties: false },
      ),
      silence_seconds: 30,
      connect: (options) => (host) => globalThis.feeding.run(host, options),
    }),
  },
});
