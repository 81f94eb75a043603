// PM2: `pm2 start docs/scaling/ecosystem.config.cjs`, in the folder of the service. All processes of an app share its port.
// Variables of the environment in which PM2 is started reach them too: DATABASE_URL, APP_SECRET and the rest.
const app = {
  script: 'dist/src/main.js',
  exec_mode: 'cluster',
  // See "Production without containers" in docs/operations.md.
  node_args: '--no-allocation-site-pretenuring',
  // ms; a stop takes at most 10 s.
  kill_timeout: 12_000,
  // ms; the wait before a restart doubles up to 15 s while PostgreSQL is away.
  exp_backoff_restart_delay: 500,
};

module.exports = {
  apps: [
    { ...app, name: 'guias-api', instances: 4, env: { ROLE: 'api', PORT: '3000' } },
    { ...app, name: 'guias-worker', instances: 1, env: { ROLE: 'worker', PORT: '3001' } },
  ],
};
