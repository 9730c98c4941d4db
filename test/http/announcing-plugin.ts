/** A webhook whose records are those of its deliveries. */
import { type ConnectorRecord, defineIntegration, definePlugin, Type } from 'feedloom/plugin';

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  integrations: {
    'acme/announcing_v1.0.0': defineIntegration({
      summary: 'The records of its deliveries.',
      options: Type.Object({ kind: Type.String({ default: 'records' }) }, { additionalProperties: false }),
      signature: { header: 'X-Acme-Signature', algorithm: 'sha256', encoding: 'base64', prefix: 'sha256=' },
      receive: ({ kind }) => {
        return (delivery) => {
          const { [kind]: records } = delivery as Record<string, ConnectorRecord[]>;
          if (records === undefined) throw new Error(`it has no ${kind}`);
          return records;
        };
      },
    }),
  },
});
