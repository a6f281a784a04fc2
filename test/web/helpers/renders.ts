import type { Page } from 'playwright-core';

/**
 * Counts in a page, which is loaded again, what React renders: by the name of what is memoized, and by its id where it has one. React tells of each
 * commit to tools for developers, and what was rendered in one has the first of its flags.
 */
const counting = `globalThis.rendered = {};
globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
  supportsFiber: true,
  inject: () => 1,
  onCommitFiberUnmount: () => {},
  onPostCommitFiberRoot: () => {},
  onCommitFiberRoot: (_, root) => {
    const count = (fiber, before) => {
      const name = fiber.elementType?.displayName;
      if (name && (fiber.tag === 14 || fiber.tag === 15) && (fiber.flags & 1)) {
        const id = fiber.memoizedProps?.id;
        const key = typeof id === 'string' ? name + ' ' + id : name;
        rendered[key] = (rendered[key] ?? 0) + 1;
      }
      if (fiber.child !== before?.child)
        for (let child = fiber.child; child; child = child.sibling)
          if (child !== before?.child && (child.alternate || !before)) count(child, child.alternate ?? undefined);
    };
    if (root.current.alternate) count(root.current, root.current.alternate);
  },
};`;

export const countRenders = async (page: Page): Promise<void> => {
  await page.addInitScript(counting);
  await page.reload();
};

/** What was rendered since it was asked last, and how often. */
export const takeRenders = async (page: Page): Promise<Map<string, number>> =>
  new Map(
    Object.entries(
      await page.evaluate<Record<string, number>>(`(() => { const all = rendered; rendered = {}; return all; })()`),
    ),
  );
