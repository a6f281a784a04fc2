/** Whether the browser shows notifications of this page: not over plain http, and only once its user allows them. */
export type Permission = NotificationPermission | 'missing';

export const readPermission = (): Permission =>
  typeof Notification === 'undefined' || !window.isSecureContext ? 'missing' : Notification.permission;

/** Asks the user of the browser, who must have clicked. */
export const askPermission = async (): Promise<Permission> => {
  if (readPermission() === 'default') await Notification.requestPermission();
  return readPermission();
};

type Shown = {
  title: string;
  text: string;
  /** One that is shown replaces another with the same tag. */
  tag: string;
  onClick?: () => void;
};

/** Shows a notification where that is allowed. Answers whether it did. */
export const showNotification = ({ title, text, tag, onClick }: Shown): boolean => {
  if (readPermission() !== 'granted') return false;
  try {
    const shown = new Notification(title, { body: text, tag, icon: '/favicon.svg' });
    shown.addEventListener('click', () => {
      window.focus();
      shown.close();
      onClick?.();
    });
    return true;
  } catch {
    // Browsers of phones leave notifications to service workers.
    return false;
  }
};
