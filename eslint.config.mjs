import tseslint from 'typescript-eslint';

const BROWSER_GLOBALS = ['document', 'window', 'navigator', 'location'];

export default tseslint.config(
  { ignores: ['**/dist', 'node_modules', '.data', 'clients/typescript/src/api.ts'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'It is wrong on Node 20: see parse-url.ts.' },
      ],
      // The types of JSX bring those of browsers, under which these names compile and fail when they run.
      'no-restricted-globals': ['error', ...BROWSER_GLOBALS, 'name', 'event', 'status', 'length', 'self'],
    },
  },
  {
    // What runs on the recipient's phone, as it is written.
    files: ['src/**/*.js'],
    extends: [tseslint.configs.base],
    languageOptions: {
      sourceType: 'script',
      ecmaVersion: 2020,
      globals: Object.fromEntries(
        [...BROWSER_GLOBALS, 'setTimeout', 'clearTimeout', 'fetch', 'DOMParser'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
    rules: {
      'no-undef': 'error',
      'no-unused-vars': 'error',
      'no-var': 'error',
      'no-shadow': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      // Answers of the API under test are `any` on purpose: the test is what types them.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
