/** A plugin whose parts repeat what others sent, in errors and in the log. */
import { defineIntegration, definePlugin, type PluginHost, Type } from 'feedloom/plugin';

let host: PluginHost;

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  setup: (given) => {
    host = given;
  },
  integrations: {
    'acme/repeating_v1.0.0': defineIntegration({
      summary: 'Fails with the text of each delivery.',
      options: Type.Object({}, { additionalProperties: false }),
      signature: { header: 'X-Acme-Signature', algorithm: 'sha256', encoding: 'hex' },
      receive: () => (delivery) => {
        const { text } = delivery as { text: string };
        host.log.warn({ deliveries: [{ text }] }, `a delivery that begins with ${text}`);
        throw new Error(text);
      },
    }),
  },
});
