interface NodeRelease {
  /** For titles: `Node 22`. */
  release: string;
  /** Of the executable. */
  path: string;
}

/** The releases of Node that smoke tests run on: this one, and those that the slow suite's setup has found. */
export const NODE_RELEASES: NodeRelease[] = [
  { release: `Node ${process.versions.node.split('.')[0]}`, path: process.execPath },
  ...(JSON.parse(process.env.GUIAS_TEST_NODES ?? '[]') as NodeRelease[]),
];
