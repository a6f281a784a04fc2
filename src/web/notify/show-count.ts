/** The most that the icon shows. */
const iconAtMost = 9;

/** An icon with a number, which has no room for more than one digit. */
const drawIcon = (count: number): string => {
  const number = count > iconAtMost ? `${iconAtMost}+` : String(count);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M11.500 7h6A8.500 8.500 0 0 1 26 15.500 8.500 8.500 0 0 1 17.500 24H11l-6 5v-7.400A8.500 8.500 0 0 1 3 15.500 8.500 8.500 0 0 1 11.500 7z" fill="#0b8296"/><circle cx="22" cy="10" r="10" fill="#c92a2a"/><text x="22" y="15" font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle" fill="#fff">${number}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

const plainIcon = '/favicon.svg';

let shown = 0;
let watching: MutationObserver | undefined;

const putTitle = (): void => {
  const plain = document.title.replace(/^\(\d+\) /, '');
  const title = shown > 0 ? `(${shown}) ${plain}` : plain;
  if (document.title !== title) document.title = title;
};

/** Shows in the tab's title and icon how many conversations wait; 0 takes it away. Pages go on to name the tab as they are gone to. */
export const showCount = (count: number): void => {
  shown = count;
  putTitle();
  if (!watching) {
    watching = new MutationObserver(putTitle);
    watching.observe(document.head, { subtree: true, childList: true, characterData: true });
  }
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const href = count > 0 ? drawIcon(count) : plainIcon;
  if (icon && icon.getAttribute('href') !== href) icon.href = href;
};
