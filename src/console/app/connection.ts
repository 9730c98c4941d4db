import { signal } from '@preact/signals';

/** Whether the browser has a network. */
export const is_online = signal(navigator.onLine);
addEventListener('online', () => {
  is_online.value = true;
});
addEventListener('offline', () => {
  is_online.value = false;
});
