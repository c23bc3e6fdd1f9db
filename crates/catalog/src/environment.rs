//! Variables of the environment.

use crate::name::NameSet;

/// All groups of them.
pub(crate) const NAMES: &[NameSet] = &[VOLATILE, SESSION, JVM_OPTIONS, REGION];

/// Variables that say how a shell, or a JVM of ours, came to be.
pub const VOLATILE: NameSet = NameSet {
    name: "volatile variables",
    exact: &[
        "_",
        "COLUMNS",
        "JAVA_TOOL_OPTIONS",
        "LINES",
        "MAVEN_CMD_LINE_ARGS",
        "NLSPATH",
        "OLDPWD",
        "PWD",
        "SHLVL",
        "XFILESEARCHPATH",
    ],
    prefixes: &["JAVA_MAIN_CLASS_", "TAMIS_"],
    why: "They differ from one run to the next, and say nothing that a test asks for. What `JAVA_TOOL_OPTIONS` of the \
          user's does shows in the options of the JVM.",
    cases: &["all_variables.md", "java_tool_options.md"],
};

/// Variables of a terminal, a log-in, or one job of a build server.
pub const SESSION: NameSet = NameSet {
    name: "variables of a session",
    exact: &[
        "BUILD_BUILDID",
        "BUILD_BUILDNUMBER",
        "BUILD_DISPLAY_NAME",
        "BUILD_ID",
        "BUILD_NUMBER",
        "BUILD_TAG",
        "BUILD_URL",
        "COLORTERM",
        "DBUS_SESSION_BUS_ADDRESS",
        "DISPLAY",
        "GPG_AGENT_INFO",
        "GPG_TTY",
        "INVOCATION_ID",
        "JOURNAL_STREAM",
        "MAIL",
        "MANAGERPID",
        "SESSION_MANAGER",
        "STY",
        "TERM",
        "TMUX",
        "TTY",
        "WINDOWID",
        "WINDOWPATH",
    ],
    prefixes: &[
        "BITBUCKET_",
        "BUILDKITE_",
        "CIRCLE_",
        "CI_",
        "DRONE_",
        "GITHUB_",
        "GITLAB_",
        "ITERM_",
        "JENKINS_",
        "KONSOLE_",
        "RUNNER_",
        "SSH_",
        "SUDO_",
        "TEAMCITY_",
        "TERM_",
        "TMUX_",
        "TRAVIS_",
        "VSCODE_",
        "XDG_",
    ],
    why: "They differ from one log-in or job to the next. Who asks for one by its name relies on it; a library that takes \
          all variables, as Spring does, is not taken to look at these.",
    cases: &["variable_of_a_job.md"],
};

/// Variables in which every JVM finds options.
pub const JVM_OPTIONS: NameSet = NameSet {
    name: "variables with options for JVMs",
    exact: &[TOOL_OPTIONS, "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"],
    why: "A JVM is started differently when one of them changes, whoever starts it.",
    cases: &["java_tool_options.md", "jdk_java_options.md", "options.rs"],
    ..NameSet::EMPTY
};

/// Variables from which the JDK takes language, encoding and time zone. A digest holds them in this order.
pub const REGION: NameSet = NameSet {
    name: "variables of language and time zone",
    exact: &["LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ"],
    why: "The JDK takes its defaults from them, which code relies on without asking.",
    cases: &["tz_variable.md"],
    ..NameSet::EMPTY
};

/// The one of them with which an agent is given to JVMs that others start.
pub const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// The variable that says where the JDK is.
pub const JAVA_HOME: &str = "JAVA_HOME";

/// Variables of a step of GitHub Actions: whether it is one, and the file for its summary.
pub const GITHUB_ACTIONS: &str = "GITHUB_ACTIONS";
/// The file for the summary of a step.
pub const GITHUB_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The variable that asks every program for output without colours.
pub const NO_COLOR: &str = "NO_COLOR";
