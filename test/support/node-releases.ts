interface NodeRelease {
  /** For titles: `Node 22`. */
  release: string;
  /** Of the executable. */
  path: string;
}

/** The releases of Node that the slow suite's setup has found, besides this one. */
export const OTHER_NODE_RELEASES = JSON.parse(process.env.GUIAS_TEST_NODES ?? '[]') as NodeRelease[];

/** The releases of Node that smoke tests run on. */
export const NODE_RELEASES: NodeRelease[] = [
  { release: `Node ${process.versions.node.split('.')[0]}`, path: process.execPath },
  ...OTHER_NODE_RELEASES,
];

/** The executable of a release that is too old; undefined if the setup has not found one. */
export const OLD_NODE = process.env.GUIAS_TEST_OLD_NODE || undefined;
