import { Waiting } from '../parts/waiting.tsx';

/** What index.html shows until pages do, where somebody is signed in. */
const find = (): HTMLElement | null => document.getElementById('skeleton');

/** Ends the skeleton in the frame in which pages first show something. It never comes back. */
export const endSkeleton = (root: HTMLElement): void => {
  const watch = new MutationObserver(() => {
    if (!root.querySelector(':scope > :not(style)')) return;
    find()?.remove();
    watch.disconnect();
  });
  watch.observe(root, { childList: true });
};

/** While the first things are asked for: the skeleton, or a sign in its place. */
export const Beginning = () => (find() ? null : <Waiting />);
